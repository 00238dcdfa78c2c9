import { hash } from 'node:crypto';
import type { MaybePromise } from '../../../framework';
import { addressKey } from './address-key';
import { FailureCounts, type Failures } from './failure-counts';
import { Guesses } from './guesses';

/** `platform-mvc-auth.throttling`. */
export interface ThrottleSettings {
  readonly enabled: boolean;
  /** Failures that a user of a realm may have from one address. */
  readonly failures: number;
  /** Failures that an address may have, whoever it names. */
  readonly per_address: number;
  /** Seconds after which the failures that began with the first are forgotten. */
  readonly window: number;
}

/** Who the credentials of a request say they are from. */
export interface Claim {
  readonly realm: string;
  readonly username: string;
  /** See `AuthenticationAttempt.guess`. */
  readonly guess: string | undefined;
}

/** What outlives the application. */
export class ThrottleState {
  readonly counts = new FailureCounts();
  readonly guesses = new Guesses();
}

/**
 * Slows down who guesses passwords: failures are counted for a user at an address, and for the address; a user
 * is never locked out from elsewhere. Whether the user exists makes no difference.
 */
export class Throttle {
  readonly #settings: ThrottleSettings;
  readonly #state: ThrottleState;

  constructor(settings: ThrottleSettings, state: ThrottleState) {
    this.#settings = settings;
    this.#state = state;
  }

  /** Whether nobody has to wait, and nothing is being verified that somebody might have to wait for. */
  get isIdle(): boolean {
    const { counts, guesses } = this.#state;
    return !this.#settings.enabled || (counts.isEmpty && guesses.isEmpty);
  }

  /** @param claims one for each adapter that the credentials may be for */
  signIn(address: string, claims: readonly Claim[]): SignIn {
    return new SignIn(this.#settings, this.#state, address, claims);
  }
}

interface Pair extends Claim {
  readonly key: string;
}

/** What is counted under what, for one request. */
interface Keys {
  readonly address: string;
  readonly pairs: readonly Pair[];
}

/** One request's credentials, as the throttle sees them. */
export class SignIn {
  readonly #settings: ThrottleSettings;
  readonly #counts: FailureCounts;
  readonly #guesses: Guesses;
  readonly #peer: string;
  readonly #claims: readonly Claim[];
  #keys: Keys | undefined;

  constructor(
    settings: ThrottleSettings,
    { counts, guesses }: ThrottleState,
    address: string,
    claims: readonly Claim[],
  ) {
    this.#settings = settings;
    this.#counts = counts;
    this.#guesses = guesses;
    this.#peer = address;
    this.#claims = claims;
  }

  /** Made when something has failed, or takes a while: most requests never need them. */
  #made(): Keys {
    return (this.#keys ??= keysOf(this.#peer, this.#claims));
  }

  /**
   * Goes on with the seconds that the client has to wait before these credentials are looked at, 0 for none.
   * At once where nothing has failed. Where counts had to be waited for, `go` runs only on counts that still
   * hold: of requests that arrive together, none profits from the time in between.
   */
  decide<T>(go: (seconds: number) => MaybePromise<T>): MaybePromise<T> {
    if (!this.#settings.enabled) return go(0);
    const { address, pairs } = this.#made();
    const keys = [address, ...pairs.map(({ key }) => key)];
    if (!keys.some((key) => this.#counts.has(key))) return go(this.#seconds([]));
    const { version } = this.#counts;
    return Promise.all(keys.map((key) => this.#counts.of(key))).then((failures) =>
      version === this.#counts.version ? go(this.#seconds(failures)) : this.decide(go),
    );
  }

  /** @param failures of the address, then of each pair; none where nothing has failed */
  #seconds([address, ...pairs]: readonly Failures[]): number {
    const { failures: most, per_address } = this.#settings;
    const waits = this.#made().pairs.map(({ key, guess }, at) => {
      const { count = 0, seconds = 1 } = pairs[at] ?? {};
      return count + this.#guesses.others(key, guess) >= most ? seconds : 0;
    });
    return Math.max(0, ...waits, address !== undefined && address.count >= per_address ? address.seconds : 0);
  }

  /** Says that the passwords are being verified, which takes a while. @returns ends it */
  hold(): () => void {
    const ends = this.#made().pairs.flatMap(({ key, guess }) =>
      guess === undefined ? [] : [this.#guesses.begin(key, guess)],
    );
    return () => {
      for (const end of ends) end();
    };
  }

  /** No adapter has verified the credentials. */
  failed(): void {
    const { enabled, window } = this.#settings;
    if (!enabled) return;
    const { address, pairs } = this.#made();
    for (const key of [address, ...pairs.map((pair) => pair.key)]) this.#counts.add(key, window);
  }

  /** The user of a realm is who they say: what they have mistyped before is forgiven, to them alone. */
  succeeded(realm: string): void {
    if (this.#counts.isEmpty) return;
    for (const pair of this.#made().pairs) if (pair.realm === realm) this.#counts.forget(pair.key);
  }
}

/** Names that strangers send may be long; what is kept of them is not. */
const LONGEST = 64;

function pairKey({ realm, username }: Claim, address: string): string {
  const name = username.length > LONGEST ? `#${hash('sha256', username, 'base64url')}` : `=${username}`;
  return `${address}\0${realm}\0${name}`;
}

function keysOf(peer: string, claims: readonly Claim[]): Keys {
  const address = addressKey(peer);
  return { address, pairs: claims.map((claim) => ({ ...claim, key: pairKey(claim, address) })) };
}
