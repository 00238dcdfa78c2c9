/** Who a request is made by. */
export interface Identity {
  /** The user's name; null for the guest. */
  readonly name: string | null;
  readonly isGuest: boolean;
}

/** The identity of every request without credentials (specification, 5.1). */
export const guest: Identity = Object.freeze({ name: null, isGuest: true });

/** A user whose credentials were verified. */
export class AuthenticatedIdentity implements Identity {
  readonly name: string;
  readonly isGuest = false;

  constructor(name: string) {
    this.name = name;
  }
}
