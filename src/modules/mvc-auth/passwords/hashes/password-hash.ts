/** In octets; longer passwords are refused, as the cost of SHA-crypt grows with the square of the length. */
export const MAX_PASSWORD_LENGTH = 1024;

/** A stored password hash. */
export interface PasswordHash {
  /** As stored. */
  readonly stored: string;
  /** Approximate cost of a verification in microseconds, to compare hashes by. */
  readonly cost: number;
  /** Compares in constant time. */
  verify(password: string): Promise<boolean>;
}
