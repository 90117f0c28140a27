/** The board as an SVG file that looks the same elsewhere: styles are written into it. */
const COPIED = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-linejoin',
  'stroke-linecap',
  'stroke-dasharray',
  'opacity',
  'font',
  'text-anchor',
  'transform',
];

export function boardPicture(svg: SVGSVGElement): string {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll<SVGElement>('*');
  const copies = [...copy.querySelectorAll<SVGElement>('*')];
  copies.forEach((element, index) => {
    const original = originals[index];
    if (!original) return;
    const computed = getComputedStyle(original);
    for (const name of COPIED) {
      const value = computed.getPropertyValue(name);
      const isPlain = name === 'transform' && !original.style.transform;
      if (value !== '' && !isPlain) element.style.setProperty(name, value);
    }
  });
  // What is there to be clicked is no part of the picture.
  const tools = '[role="row"], .overlay, .goal, .pick, .cursor, .ghost, .refused, .clicked';
  for (const tool of copy.querySelectorAll(tools)) tool.remove();
  for (const element of [copy, ...copy.querySelectorAll('*')]) {
    for (const name of [...element.getAttributeNames()]) {
      if (/^(class|role|tabindex|aria-|data-)/.test(name)) element.removeAttribute(name);
    }
  }
  const defs = document.querySelector('.stoa-defs defs');
  if (defs) copy.prepend(defs.cloneNode(true));
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute('width', String(width));
  copy.setAttribute('height', String(height));
  return new XMLSerializer().serializeToString(copy);
}
