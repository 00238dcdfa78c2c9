/**
 * Every line of a field, as received: Node's joined view hides all but the first of some, and its view by lines is
 * made for all fields at once, which costs more than looking for one.
 *
 * @param raw names and values in turn
 * @param name in lower case
 */
export function fieldLines(raw: readonly string[], name: string): readonly string[] {
  const lines: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const field = raw[at] ?? '';
    if (field.length === name.length && field.toLowerCase() === name) lines.push(raw[at + 1] ?? '');
  }
  return lines;
}
