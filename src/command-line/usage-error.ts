/** A command that cannot be carried out as it was given. The message is for the person who typed it. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
