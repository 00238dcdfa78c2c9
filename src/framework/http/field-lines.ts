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
    if (isName(raw[at], name)) lines.push(raw[at + 1] ?? '');
  }
  return lines;
}

/** How many lines a field has. @param name in lower case */
export function countFields(raw: readonly string[], name: string): number {
  let count = 0;
  for (let at = 0; at < raw.length; at += 2) if (isName(raw[at], name)) count++;
  return count;
}

/** Letter case does not matter (RFC 9110, 5.1); most names differ in length already. */
function isName(given: string | undefined, name: string): boolean {
  return given?.length === name.length && given.toLowerCase() === name;
}
