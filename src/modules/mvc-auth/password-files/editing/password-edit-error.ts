/** A change of a password file that is not made; the message is for the person who asked for it. */
export class PasswordEditError extends Error {
  override readonly name = 'PasswordEditError';
}
