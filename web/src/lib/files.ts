/** Things to take away: text to the clipboard, files to the disk. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function saveFile(name: string, type: string, content: string | Blob): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

/** A name for a file that every system accepts. */
export function fileName(words: string, ending: string): string {
  const kept = words.normalize('NFKC').replace(/[^\p{L}\p{N}]+/gu, '-');
  return `${kept.replace(/^-+|-+$/g, '').slice(0, 60) || 'stoa'}.${ending}`;
}
