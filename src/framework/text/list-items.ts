/** The parts of a list between commas, of which several together may be a choice that has commas: the longest one. */
export function listItems(list: string, choices: readonly unknown[]): readonly string[] {
  const parts = list.split(',');
  const most = Math.max(1, ...choices.map((one) => String(one).split(',').length));
  if (most === 1) return parts;
  const known = new Set(choices.map(String));
  const items: string[] = [];
  for (let at = 0; at < parts.length;) {
    let size = Math.min(most, parts.length - at);
    while (size > 1 && !known.has(parts.slice(at, at + size).join(','))) size -= 1;
    items.push(parts.slice(at, at + size).join(','));
    at += size;
  }
  return items;
}
