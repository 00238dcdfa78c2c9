/** Returns the message of whatever was thrown. Use it where a message is quoted in another one. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
