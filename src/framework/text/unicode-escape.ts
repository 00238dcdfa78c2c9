/** Returns the escape of a UTF-16 code unit in JSON (RFC 8259, 7), such as `\u2028`; YAML, Go and C# have it, too. */
export function unicodeEscape(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
