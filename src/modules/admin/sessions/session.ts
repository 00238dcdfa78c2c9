/** A message shown once, on the administrator's next page. */
export interface Message {
  readonly text: string;
  /** The revision that an "Undo" button reverts. */
  readonly undo?: number;
}

/** What the OpenID provider said about an administrator. */
export interface OpenidMember {
  readonly groups: readonly string[];
}

/** The session of a signed-in administrator. */
export interface Session {
  /** The hash of the token; the token itself is stored in the browser only. */
  readonly id: string;
  /** The administrator's name. */
  readonly user: string;
  /** The stored password hash at sign-in; a changed hash ends the session. */
  readonly credentials: string;
  /** The CSRF token of every form. */
  readonly csrf: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  /** For administrators from the OpenID provider. */
  readonly openid?: OpenidMember;
}
