/** What is read out to those who listen: moves, results, refusals. */
export const announcement = $state({ text: '', count: 0 });

export function announce(text: string): void {
  announcement.text = text;
  announcement.count += 1;
}
