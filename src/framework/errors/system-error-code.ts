/** Returns the code of a system error, such as `ENOENT`; empty if it has none. */
export function systemErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
