/**
 * The parts of a list between commas, of which several together may be a choice that has commas: the longest one.
 * @param isSpaced whether there may be spaces around the commas
 */
export function listItems(list: string, choices: readonly unknown[], isSpaced = false): readonly string[] {
  const parts = list.split(',');
  const itemOf = (some: readonly string[]): string => (isSpaced ? some.join(',').trim() : some.join(','));
  const most = Math.max(1, ...choices.map((one) => String(one).split(',').length));
  if (most === 1) return parts.map((one) => itemOf([one]));
  const known = new Set(choices.map(String));
  const items: string[] = [];
  for (let at = 0; at < parts.length;) {
    let size = Math.min(most, parts.length - at);
    while (size > 1 && !known.has(itemOf(parts.slice(at, at + size)))) size -= 1;
    items.push(itemOf(parts.slice(at, at + size)));
    at += size;
  }
  return items;
}
