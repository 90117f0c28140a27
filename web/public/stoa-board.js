/**
 * <stoa-board game="impasse" position="…">, <stoa-board record="…"> or <stoa-board puzzle="impasse/ID">:
 * a board of this Stoa in any page. Put this script into the page:
 *
 *   <script type="module" src="https://STOA/stoa-board.js"></script>
 */
const folder = new URL('.', import.meta.url);

/** A text, compressed, in letters that addresses may have; as links of Stoa carry records. */
async function packed(text) {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream('deflate'));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  const letters = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return `z${letters.replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '')}`;
}

class StoaBoard extends HTMLElement {
  static observedAttributes = ['game', 'position', 'record', 'puzzle'];
  #drawn = 0;

  connectedCallback() {
    this.#draw();
  }

  attributeChangedCallback() {
    if (this.isConnected) this.#draw();
  }

  async #draw() {
    const turn = ++this.#drawn;
    const [game, position, record, puzzle] = StoaBoard.observedAttributes.map((name) =>
      this.getAttribute(name),
    );
    const part = (text) => encodeURIComponent(text ?? '');
    const address = puzzle
      ? `?embed#/embed/puzzle/${puzzle.split('/').map(part).join('/')}`
      : record
        ? `?embed#/embed?g=${await packed(record)}`
        : `?embed#/embed/${part(game)}${position ? `?p=${part(position)}` : ''}`;
    if (turn !== this.#drawn) return;
    const frame = document.createElement('iframe');
    frame.src = new URL(address, folder).href;
    frame.title = this.getAttribute('label') ?? 'Stoa';
    frame.loading = 'lazy';
    frame.style.cssText = 'border:0;inline-size:100%;block-size:100%';
    const root = this.shadowRoot ?? this.attachShadow({ mode: 'open' });
    const style = document.createElement('style');
    style.textContent = ':host{display:block;max-inline-size:480px;aspect-ratio:480/544}';
    root.replaceChildren(style, frame);
  }
}

customElements.define('stoa-board', StoaBoard);
