/** Returns the message of whatever was thrown. Use it where a message is quoted in another one. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns whatever was thrown as an error, for code that requires one. */
export function toError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error), { cause: error });
}
