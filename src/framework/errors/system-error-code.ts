/** The code of a system error, such as `ENOENT`; empty when it has none. */
export function systemErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
