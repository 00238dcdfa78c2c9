import { andThen, type MaybePromise } from '../../../framework';
import { ExactSignIn, type ThrottledCounts } from './exact-sign-in';
import type { FailureCounts } from './failure-counts';
import type { PendingVerifications } from './pending-verifications';
import { countedKeys, type ClaimedUser, type CountedKeys } from './counted-keys';
import type { ThrottleSettings } from './throttling-settings';
import type { ThrottleState } from './throttle-state';
import type { UndecidedCredentials } from './undecided-credentials';

/**
 * The sign-in of one request. Passwords with a guess are held while they are verified. Others do not count until their
 * result is known: it tells nothing if a limit has been reached by then, so that of concurrent guesses no more than the
 * limit are answered.
 */
export class SignIn {
  readonly #settings: ThrottleSettings;
  readonly #counts: FailureCounts;
  readonly #pending: PendingVerifications;
  readonly #undecided: () => UndecidedCredentials;
  readonly #address: string;
  readonly #users: readonly ClaimedUser[];
  readonly #deployment: ThrottledCounts | undefined;
  /** Undefined before the deployment has allowed it, and if the counts of the process decide. */
  #exact: ExactSignIn | undefined;
  #keys: CountedKeys | undefined;
  /** Of the adapters so far. */
  #refusal: 'wrong' | 'stale' | undefined;

  constructor(
    settings: ThrottleSettings,
    { counts, pending, undecided }: ThrottleState,
    { address, users }: { readonly address: string; readonly users: readonly ClaimedUser[] },
    deployment?: ThrottledCounts,
  ) {
    this.#settings = settings;
    this.#counts = counts;
    this.#pending = pending;
    this.#undecided = undecided;
    this.#address = address;
    this.#users = users;
    this.#deployment = deployment;
  }

  /** Computed on demand: most requests never need them. */
  #requireKeys(): CountedKeys {
    return (this.#keys ??= countedKeys(this.#address, this.#users));
  }

  get #isHeld(): boolean {
    return this.#users.every(({ guess }) => guess !== undefined);
  }

  /** Calls `proceed` with the seconds that the client has to wait, 0 for none; synchronously by the counts of the process. */
  decide<T>(proceed: (seconds: number) => MaybePromise<T>): MaybePromise<T> {
    if (!this.#settings.enabled) return proceed(0);
    return this.#deployment === undefined
      ? proceed(this.#seconds())
      : this.#decideExactly(this.#deployment, proceed);
  }

  async #decideExactly<T>(
    deployment: ThrottledCounts,
    proceed: (seconds: number) => MaybePromise<T>,
  ): Promise<T> {
    const exact = new ExactSignIn(deployment, this.#settings, this.#requireKeys(), this.#isHeld);
    const seconds = await exact.begin();
    if (seconds === undefined) return await proceed(this.#seconds());
    if (seconds > 0) return await proceed(seconds);
    this.#exact = exact;
    try {
      return await proceed(0);
    } finally {
      exact.release();
    }
  }

  /** By the counts of this process. */
  #seconds(): number {
    if (this.#counts.isEmpty && this.#pending.isEmpty) return 0;
    const { window, failures, per_address: perAddress } = this.#settings;
    const { address, users } = this.#requireKeys();
    const all = this.#counts.of(address, window);
    const waits = users.map(({ key, guess }) => {
      const { count, seconds } = this.#counts.of(key, window);
      return count + this.#pending.others(key, guess) >= failures ? seconds : 0;
    });
    return Math.max(0, ...waits, all.count >= perAddress ? all.seconds : 0);
  }

  /** Whether there is anything to hold. */
  get hasGuess(): boolean {
    return this.#users.some(({ guess }) => guess !== undefined);
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

  /**
   * Counts a failure: no adapter has accepted the credentials.
   * @returns the seconds to wait if a limit was reached meanwhile, as if they had not been verified; 0 otherwise
   */
  failed(): MaybePromise<number> {
    return this.#end(true);
  }

  /** Forgets earlier failures of the user who was authenticated. @returns as {@link failed} */
  succeeded(realm: string): MaybePromise<number> {
    return this.#end(false, realm);
  }

  /** The credentials are genuine, and only too old. @returns as {@link failed} */
  stale(): MaybePromise<number> {
    return this.#end(false);
  }

  /** Notes that an adapter has refused a password: another one may yet accept it. @param isStale as for {@link stale} */
  refused(isStale: boolean): void {
    if (isStale) this.#refusal = 'stale';
    else this.#refusal ??= 'wrong';
  }

  /**
   * Counts a failure if a password was wrong, and the other adapters could not decide; once for credentials that a client
   * repeats, which may be right.
   * @returns as {@link failed}
   */
  undecided(credentials: string): MaybePromise<number> {
    if (this.#refusal !== 'wrong' || !this.#settings.enabled) return 0;
    const { address } = this.#requireKeys();
    // Others may have come too late to count.
    const isRepeated = this.#isHeld && this.#undecided().isRepeated(`${address}\0${credentials}`);
    return isRepeated ? 0 : this.failed();
  }

  #end(isFailure: boolean, realm?: string): MaybePromise<number> {
    if (!this.#settings.enabled) return 0;
    if (this.#exact === undefined) return this.#count(this.#late(), isFailure, realm);
    const ended = this.#exact.end({ isFailure, forgotten: this.#keysIn(realm) });
    return andThen(ended, (seconds) => this.#count(seconds ?? this.#late(), isFailure, realm));
  }

  #late(): number {
    return this.#isHeld ? 0 : this.#seconds();
  }

  #count(late: number, isFailure: boolean, realm: string | undefined): number {
    if (late > 0) return late;
    const { window } = this.#settings;
    if (isFailure) {
      const { address, users } = this.#requireKeys();
      for (const key of [address, ...users.map(({ key }) => key)]) this.#counts.add(key, window);
    } else if (!this.#counts.isEmpty) for (const key of this.#keysIn(realm)) this.#counts.forget(key);
    return 0;
  }

  #keysIn(realm: string | undefined): readonly string[] {
    return this.#requireKeys().users.flatMap((user) => (user.realm === realm ? [user.key] : []));
  }
}
