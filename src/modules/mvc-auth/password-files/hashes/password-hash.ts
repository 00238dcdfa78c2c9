/** The longest password that is tried, in octets; SHA-crypt's work grows with the square of it. */
export const LONGEST_PASSWORD = 1024;

/** A stored hash that knows how to try a password. */
export interface PasswordHash {
  /** As it stands in the file. */
  readonly stored: string;
  /** About what one try costs, in microseconds; only comparisons of it mean something. */
  readonly cost: number;
  /** Whether the password is the one that was hashed. Compares in constant time. */
  verify(password: string): Promise<boolean>;
}
