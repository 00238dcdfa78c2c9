const QUOTE = 34;
const COLON = 58;

/**
 * Whether a key stands twice in one map of a JSON text: `JSON.parse` keeps one of them, so that its value has fewer
 * members than the text has colons.
 * @param value what `JSON.parse` made of the text
 */
export function hasKeyTwice(text: string, value: unknown): boolean {
  return colonsOf(text) !== membersOf(value);
}

/** Colons that are in no string. */
function colonsOf(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === COLON) count += 1;
  }
  return count;
}

/** Where the string ends that begins at a place. */
function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end === -1 ? text.length : end;
}

/** Whether an odd number of backslashes stands before a quote. */
function isEscaped(text: string, quote: number): boolean {
  let before = quote;
  while (text[before - 1] === '\\') before -= 1;
  return (quote - before) % 2 === 1;
}

/** Members of maps, at every depth. */
function membersOf(value: unknown): number {
  const open: unknown[] = [value];
  let count = 0;
  while (open.length > 0) {
    const one = open.pop();
    if (typeof one !== 'object' || one === null) continue;
    const members: unknown[] = Object.values(one);
    if (!Array.isArray(one)) count += members.length;
    // Most are texts and numbers, which hold nothing.
    for (const member of members) if (typeof member === 'object') open.push(member);
  }
  return count;
}
