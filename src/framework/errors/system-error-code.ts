/** Whether an error is that of a call to the system: only those have `syscall`. One about a folder may have no `path`. */
export function isSystemError(error: unknown): error is { readonly path?: string } {
  return typeof error === 'object' && error !== null && 'syscall' in error;
}

/** Returns the code of a system error, such as `ENOENT`; empty if it has none. */
export function systemErrorCode(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : '';
}
