/** Said once, on the next page that the administrator sees. */
export interface Message {
  readonly text: string;
  /** The number of the revision that can be undone. */
  readonly undo?: number;
}

/** An administrator who is signed in, in one browser. */
export interface Session {
  /** The hash that the session is kept under; the token itself is only in the browser. */
  readonly id: string;
  /** The administrator's name. */
  readonly user: string;
  /** What the administrator's line in the password file was at sign-in: another one ends the session. */
  readonly credentials: string;
  /** What every form carries, so that no other site can send one. */
  readonly csrf: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}
