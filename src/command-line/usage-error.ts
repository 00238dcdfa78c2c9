/** An error in the arguments of a command. The message is for its user. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
