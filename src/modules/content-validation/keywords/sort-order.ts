/** Whether a text is a list of names, each once, with `-` before those in descending order. */
export function isOrderOf(names: readonly string[], text: string): boolean {
  // Most orders have a single key.
  if (!text.includes(',')) return names.includes(withoutSign(text));
  const keys = text.split(',').map(withoutSign);
  return keys.every((key, at) => names.includes(key) && keys.indexOf(key) === at);
}

function withoutSign(key: string): string {
  return key.startsWith('-') ? key.slice(1) : key;
}
