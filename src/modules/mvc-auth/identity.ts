/** The identity that makes a request. */
export interface Identity {
  /** The user's name; null for the guest. */
  readonly name: string | null;
  readonly isGuest: boolean;
  /** Empty for the guest. */
  readonly groups: readonly string[];
}

const none: readonly string[] = Object.freeze([]);

/** The identity of every request without credentials (specification, 5.1). */
export const guest: Identity = Object.freeze({ name: null, isGuest: true, groups: none });

/**
 * A user whose credentials were verified.
 *
 * @example
 * events.attach('authentication', ({ request }) =>
 *   request.header('x-api-key') === key ? new AuthenticatedIdentity('robot', ['machines']) : undefined, 10);
 */
export class AuthenticatedIdentity implements Identity {
  readonly name: string;
  readonly isGuest = false;
  readonly groups: readonly string[];

  constructor(name: string, groups: readonly string[] = none) {
    this.name = name;
    this.groups = groups;
  }
}

/**
 * Whether a listener returned an identity.
 * @throws TypeError for an incomplete identity, which would otherwise be ignored
 */
export function isIdentity(result: unknown): result is Identity {
  if (typeof result !== 'object' || result === null || !('isGuest' in result)) return false;
  if (
    'name' in result &&
    (typeof result.name === 'string' || result.name === null) &&
    'groups' in result &&
    Array.isArray(result.groups)
  ) {
    return true;
  }
  throw new TypeError('An identity needs "name" (string or null), "isGuest" and "groups" (a list).');
}
