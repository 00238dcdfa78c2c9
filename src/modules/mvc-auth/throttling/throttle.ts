import { hash } from 'node:crypto';
import { addressKey, type ExactCounts, type MaybePromise } from '../../../framework';
import { decideExactly, type ExactSignIn } from './exact-sign-in';
import { FailureCounts, type Failures } from './failure-counts';
import { PendingVerifications } from './pending-verifications';

/** The limits of `platform-mvc-auth.throttling` for failures. */
export interface ThrottleSettings {
  readonly enabled: boolean;
  /** Limit for a user of a realm from one address. */
  readonly failures: number;
  /** Limit for an address, for all users. */
  readonly per_address: number;
  /** Seconds from the first failure until all of them expire. */
  readonly window: number;
  /** Whether the counts of the deployment decide each sign-in. */
  readonly exact?: boolean;
}

/** The counts of the deployment, and the key that hides the passwords that are being verified. */
export interface ThrottledDeployment {
  readonly counts: () => ExactCounts | undefined;
  readonly key: Buffer;
}

/** The user that credentials name, not yet verified. */
export interface ClaimedUser {
  readonly realm: string;
  readonly username: string;
  /** See `AuthenticationAttempt.guess`. */
  readonly guess: string | undefined;
}

/** State that outlives reloads. */
export class ThrottleState {
  readonly counts = new FailureCounts();
  readonly pending = new PendingVerifications();
}

/**
 * Throttles password guessing: counts failures per user and address, and per address. A user is never locked out from
 * other addresses. Known and unknown users are treated alike.
 */
export class Throttle {
  readonly #settings: ThrottleSettings;
  readonly #state: ThrottleState;
  readonly #deployment: ThrottledDeployment | undefined;

  /** @param deployment required for `exact` */
  constructor(settings: ThrottleSettings, state: ThrottleState, deployment?: ThrottledDeployment) {
    this.#settings = settings;
    this.#state = state;
    this.#deployment = settings.enabled && settings.exact === true ? deployment : undefined;
  }

  /** Undefined if the counts of this process apply. */
  get #exact(): ExactCounts | undefined {
    const counts = this.#deployment?.counts();
    return counts?.isAvailable === true ? counts : undefined;
  }

  /** Whether there are neither failures nor pending verifications. */
  get isIdle(): boolean {
    if (this.#exact !== undefined) return false;
    const { counts, pending } = this.#state;
    return !this.#settings.enabled || (counts.isEmpty && pending.isEmpty);
  }

  /** @param users one per adapter that may verify the credentials */
  signIn(address: string, users: readonly ClaimedUser[]): SignIn {
    const exact = this.#exact;
    return new SignIn(
      this.#settings,
      this.#state,
      { address, users },
      exact === undefined || this.#deployment === undefined
        ? undefined
        : { counts: exact, key: this.#deployment.key },
    );
  }
}

interface CountedUser extends ClaimedUser {
  readonly key: string;
}

/** What the failures of a sign-in are counted for. */
export interface Keys {
  readonly address: string;
  readonly users: readonly CountedUser[];
}

/** The sign-in of one request. */
export class SignIn {
  readonly #settings: ThrottleSettings;
  readonly #counts: FailureCounts;
  readonly #pending: PendingVerifications;
  readonly #address: string;
  readonly #users: readonly ClaimedUser[];
  readonly #exact: ExactSignIn | undefined;
  /** What is reported to the deployment. */
  #isFailure = false;
  #forgotten: readonly string[] = [];
  #keys: Keys | undefined;

  constructor(
    settings: ThrottleSettings,
    { counts, pending }: ThrottleState,
    { address, users }: { readonly address: string; readonly users: readonly ClaimedUser[] },
    exact?: ExactSignIn,
  ) {
    this.#settings = settings;
    this.#counts = counts;
    this.#pending = pending;
    this.#address = address;
    this.#users = users;
    this.#exact = exact;
  }

  /** Computed on demand: most requests never need them. */
  #requireKeys(): Keys {
    return (this.#keys ??= keysOf(this.#address, this.#users));
  }

  /**
   * Calls `proceed` with the seconds that the client has to wait, 0 for none; synchronously without failures. Counts
   * that changed while they were read are read again, so that concurrent requests cannot exceed a limit.
   */
  decide<T>(proceed: (seconds: number) => MaybePromise<T>): MaybePromise<T> {
    if (!this.#settings.enabled) return proceed(0);
    if (this.#exact === undefined) return this.#decideHere(proceed);
    return decideExactly(this.#exact, this.#settings, this.#requireKeys(), {
      proceed,
      result: () => ({ isFailure: this.#isFailure, forgotten: this.#forgotten }),
      withoutDeployment: () => this.#decideHere(proceed),
    });
  }

  /** By the counts of this process. */
  #decideHere<T>(proceed: (seconds: number) => MaybePromise<T>): MaybePromise<T> {
    const { window } = this.#settings;
    const { address, users } = this.#requireKeys();
    const keys = [address, ...users.map(({ key }) => key)];
    if (!keys.some((key) => this.#counts.has(key, window))) return proceed(this.#seconds([]));
    const { version } = this.#counts;
    return Promise.all(keys.map((key) => this.#counts.of(key, window))).then((failures) =>
      version === this.#counts.version ? proceed(this.#seconds(failures)) : this.#decideHere(proceed),
    );
  }

  /** @param failures of the address, then of each user; empty without failures */
  #seconds([address, ...users]: readonly Failures[]): number {
    const { failures: limit, per_address } = this.#settings;
    const waits = this.#requireKeys().users.map(({ key, guess }, at) => {
      const { count = 0, seconds = 1 } = users[at] ?? {};
      return count + this.#pending.others(key, guess) >= limit ? seconds : 0;
    });
    return Math.max(0, ...waits, address !== undefined && address.count >= per_address ? address.seconds : 0);
  }

  /** Marks the passwords as being verified. @returns ends that */
  hold(): () => void {
    const ends = this.#requireKeys().users.flatMap(({ key, guess }) =>
      guess === undefined ? [] : [this.#pending.begin(key, guess)],
    );
    return () => {
      for (const end of ends) end();
    };
  }

  /** Counts a failure: no adapter has accepted the credentials. */
  failed(): void {
    const { enabled, window } = this.#settings;
    if (!enabled) return;
    this.#isFailure = true;
    const { address, users } = this.#requireKeys();
    for (const key of [address, ...users.map(({ key }) => key)]) this.#counts.add(key, window);
  }

  /** Forgets earlier failures of the user who was authenticated. */
  succeeded(realm: string): void {
    if (this.#counts.isEmpty && this.#exact === undefined) return;
    const keys = this.#requireKeys().users.flatMap((user) => (user.realm === realm ? [user.key] : []));
    this.#forgotten = keys;
    for (const key of keys) this.#counts.forget(key);
  }
}

/** Longer user names are hashed, to limit memory. */
const MAX_LENGTH = 64;

function userKey({ realm, username }: ClaimedUser, address: string): string {
  const name = username.length > MAX_LENGTH ? `#${hash('sha256', username, 'base64url')}` : `=${username}`;
  return `${address}\0${realm}\0${name}`;
}

function keysOf(clientAddress: string, users: readonly ClaimedUser[]): Keys {
  const address = addressKey(clientAddress);
  return { address, users: users.map((user) => ({ ...user, key: userKey(user, address) })) };
}
