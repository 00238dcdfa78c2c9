/** Compiles a `pattern` of JSON Schema: unanchored, with the flag `u`. Returns undefined for anything invalid. */
export function compilePattern(pattern: unknown): RegExp | undefined {
  if (typeof pattern !== 'string') return undefined;
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return undefined;
  }
}

/** Whether a value is a valid `pattern` of JSON Schema. */
export function isPattern(value: unknown): value is string {
  return compilePattern(value) !== undefined;
}
