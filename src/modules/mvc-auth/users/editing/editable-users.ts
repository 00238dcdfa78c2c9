/** The users of an adapter, which commands change. Every method rejects with a PasswordEditError that says why not. */
export interface EditableUsers {
  /** For messages: `data/shop.htpasswd`, or `the table "users" of the database "main"`. */
  readonly title: string;
  /** @throws PasswordEditError for a password that the adapter's schemes cannot verify */
  checkPassword(password: string): void;
  /** Whether there is a user of this name, also a disabled one. */
  has(name: string): Promise<boolean>;
  /** Adds a user who does not exist. */
  add(name: string, password: string, groups: readonly string[]): Promise<void>;
  /** Sets the password of a user who exists. */
  setPassword(name: string, password: string): Promise<void>;
  /** Prevents a user from signing in. @returns what was done, as a sentence */
  disable(name: string): Promise<string>;
  /** Lets a disabled user sign in again. @returns what was done, as a sentence */
  enable(name: string): Promise<string>;
  groupsOf(name: string): Promise<readonly string[]>;
  setGroups(name: string, groups: readonly string[]): Promise<void>;
}
