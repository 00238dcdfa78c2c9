import { isPlainObject } from '../../framework';

/** The identity that makes a request. */
export interface Identity {
  /** The user's name; null for the guest. */
  readonly name: string | null;
  readonly isGuest: boolean;
  /** Empty for the guest. */
  readonly groups: readonly string[];
  /** What the credentials allow, e.g. the scopes of a token. Empty for the guest, and for users with a password. */
  readonly scopes: readonly string[];
}

const none: readonly string[] = Object.freeze([]);

/** The identity of every request without credentials (specification, 5.1). */
export const guest: Identity = Object.freeze({ name: null, isGuest: true, groups: none, scopes: none });

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
  readonly scopes: readonly string[];

  /**
   * @throws TypeError without a name: "authenticated" would permit a user without one; and for groups or scopes in a text,
   *   in which rules would find a part of a name
   */
  constructor(name: string, groups: readonly string[] = none, scopes: readonly string[] = none) {
    if (!isName(name)) throw new TypeError('An authenticated user needs a name: a string that is not empty.');
    if (!Array.isArray(groups) || !Array.isArray(scopes))
      throw new TypeError(
        "The groups and the scopes of a user are lists, such as ['staff'] and ['read', 'write'].",
      );
    this.name = name;
    this.groups = groups;
    this.scopes = scopes;
  }
}

/** What listeners return: `scopes` may be missing. */
export type ReturnedIdentity = Omit<Identity, 'scopes'> & Partial<Pick<Identity, 'scopes'>>;

/**
 * Whether a listener returned an identity.
 * @throws TypeError for an incomplete identity, which would otherwise be ignored
 */
export function isIdentity(result: unknown): result is ReturnedIdentity {
  if (typeof result !== 'object' || result === null || !('isGuest' in result)) return false;
  if (
    'name' in result &&
    (isName(result.name) || result.name === null) &&
    'groups' in result &&
    Array.isArray(result.groups) &&
    (!('scopes' in result) || result.scopes === undefined || Array.isArray(result.scopes))
  ) {
    return true;
  }
  throw incompleteIdentity();
}

/**
 * Whether a listener returned an identity.
 * @throws TypeError as {@link isIdentity} does, also for what is probably meant as one: ignored, the user would be the guest
 */
export function isReturnedIdentity(result: unknown): result is ReturnedIdentity {
  if (typeof result === 'string' || (isPlainObject(result) && !('isGuest' in result)))
    throw incompleteIdentity();
  return isIdentity(result);
}

function incompleteIdentity(): TypeError {
  return new TypeError(
    'An identity needs "name" (null, or a string that is not empty), "isGuest" and "groups" (a list); "scopes" is a list, too.',
  );
}

function isName(name: unknown): name is string {
  return typeof name === 'string' && name !== '';
}

/** Adds empty `scopes` to an identity without any: to the object itself, unless it is frozen. */
export function withScopes(identity: ReturnedIdentity): Identity {
  if (hasScopes(identity)) return identity;
  const scopes = { value: none, enumerable: true };
  if (Object.isExtensible(identity)) Object.defineProperty(identity, 'scopes', scopes);
  else {
    const { name, isGuest, groups } = identity;
    return Object.freeze({ name, isGuest, groups, scopes: none });
  }
  return withScopes(identity);
}

function hasScopes(identity: ReturnedIdentity): identity is Identity {
  return identity.scopes !== undefined;
}
