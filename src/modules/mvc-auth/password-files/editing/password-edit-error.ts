/** A rejected change of a password file. The message is for the user who requested it. */
export class PasswordEditError extends Error {
  override readonly name = 'PasswordEditError';
}
