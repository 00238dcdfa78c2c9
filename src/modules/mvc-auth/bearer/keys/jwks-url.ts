import { steadyNow, errorMessage } from '../../../../framework';
import { withAdapterName } from '../../http-adapter/auth-configuration-error';
import { AuthenticationUnavailable } from '../../http/authentication-unavailable';
import { fetchJson } from '../fetch-json';
import type { JwtHeader } from '../jwt/read-jwt';
import type { KnownKeySets } from './known-key-sets';
import { KeySet, type KeySource, type VerificationKey } from './key-source';
import { readJwks } from './read-jwks';

export interface JwksUrlOptions {
  readonly adapter: string;
  readonly url: string;
  /** `kty` of usable keys. */
  readonly types: readonly string[];
  /** Those of earlier configurations. */
  readonly known: KnownKeySets;
  /** The keys were replaced. */
  readonly changed: () => void;
  readonly warn: (message: string) => void;
  /** Milliseconds; defaults to `steadyNow`. */
  readonly clock?: () => number;
}

/** In milliseconds: how long a response may take. */
const TIMEOUT = 5_000;
const MAX_BYTES = 262_144;
/** In milliseconds: how often keys are fetched again, so that those that the issuer has removed are not accepted. */
const REFRESH_INTERVAL = 300_000;
/** In milliseconds: how often an unknown key, or a missing key set, may cause a fetch. */
const MIN_INTERVAL = 10_000;

/** The keys that an issuer publishes at a URL. The last keys stay valid while it cannot be reached. */
export class JwksUrl implements KeySource {
  readonly #options: JwksUrlOptions;
  readonly #clock: () => number;
  readonly #closing = new AbortController();
  readonly #timer: NodeJS.Timeout;
  #keys: KeySet | undefined;
  /** The keys as text, to notice changes. */
  #text = '';
  #fetching: Promise<void> | undefined;
  #fetchedAt = -Infinity;
  #failure: string | undefined;
  /** Whether the first fetch is done, whose failure is a warning of the start. */
  #isOpen = false;

  private constructor(options: JwksUrlOptions) {
    this.#options = options;
    this.#clock = options.clock ?? steadyNow;
    this.#timer = setInterval(() => this.#refreshIfDue(), MIN_INTERVAL).unref();
  }

  /** Waits for the first response, but does not reject without one: requests then receive a 503 until there is one. */
  static async open(options: JwksUrlOptions): Promise<JwksUrl> {
    const source = new JwksUrl(options);
    source.#useKnown();
    await source.#fetchAgain();
    return source;
  }

  get warnings(): readonly string[] {
    return this.#failure === undefined ? [] : [this.#describe(this.#failure)];
  }

  async keysFor(header: JwtHeader): Promise<readonly VerificationKey[]> {
    if (this.#keys === undefined) await this.#fetchIfAllowed();
    const known = this.#keys;
    if (known === undefined)
      throw new AuthenticationUnavailable(
        `The keys at ${this.#options.url} are not known.`,
        MIN_INTERVAL / 1_000,
      );
    const found = await known.keysFor(header);
    // Only a key with an ID can be new: for others, every forged token would cause a fetch.
    if (found.length > 0 || header.kid === undefined) return found;
    await this.#fetchIfAllowed();
    return this.#keys === known ? [] : ((await this.#keys?.keysFor(header)) ?? []);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#closing.abort();
  }

  #useKnown(): void {
    const { known, url, types } = this.#options;
    try {
      const keys = readJwks(known.get(url), types);
      this.#text = JSON.stringify(keys);
      this.#keys = new KeySet(keys);
    } catch {
      // None are known, or none of these types.
    }
  }

  #refreshIfDue(): void {
    const age = this.#clock() - this.#fetchedAt;
    if (this.#failure !== undefined || age >= REFRESH_INTERVAL) void this.#fetchAgain();
  }

  #fetchIfAllowed(): Promise<void> | undefined {
    if (this.#fetching !== undefined) return this.#fetching;
    return this.#clock() - this.#fetchedAt < MIN_INTERVAL ? undefined : this.#fetchAgain();
  }

  #fetchAgain(): Promise<void> {
    this.#fetchedAt = this.#clock();
    return (this.#fetching ??= this.#fetch().finally(() => {
      this.#fetching = undefined;
    }));
  }

  async #fetch(): Promise<void> {
    const { url, types, known, changed, warn, adapter } = this.#options;
    const hadKeys = this.#keys !== undefined;
    try {
      const { status, json } = await fetchJson(
        url,
        { headers: { Accept: 'application/jwk-set+json, application/json' } },
        { timeout: TIMEOUT, maxBytes: MAX_BYTES, signal: this.#closing.signal },
      );
      if (status !== 200) throw new Error(`it responded ${status}`);
      const keys = readJwks(json, types);
      known.set(url, json);
      const text = JSON.stringify(keys);
      if (this.#failure !== undefined) warn(withAdapterName(adapter, `jwks: ${url} is available again.`));
      this.#failure = undefined;
      if (text === this.#text) return;
      this.#text = text;
      this.#keys = new KeySet(keys);
      if (hadKeys) changed();
    } catch (error) {
      if (this.#closing.signal.aborted) return;
      const reason = errorMessage(error);
      const isFirst = this.#failure === undefined;
      this.#failure = reason;
      if (isFirst && this.#isOpen) warn(this.#describe(reason));
    } finally {
      this.#isOpen = true;
    }
  }

  #describe(reason: string): string {
    const effect =
      this.#keys === undefined
        ? 'Requests with tokens receive 503 until it is available'
        : 'The last keys stay valid';
    return withAdapterName(
      this.#options.adapter,
      `jwks: ${this.#options.url} is not available: ${reason}. ${effect}.`,
    );
  }
}
