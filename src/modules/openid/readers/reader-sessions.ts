import type { Deployment, Request } from '../../../framework';
import { AuthenticatedIdentity, type Identity } from '../../mvc-auth';
import { SealedCookie } from '../flow/sealed-cookie';
import type { Person } from '../person';
import type { OpenidSettings } from '../settings';

/** A signed-in reader, as the cookie has it. */
interface StoredReader {
  readonly name: string;
  readonly groups: readonly string[];
  readonly scopes: readonly string[];
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly seenAt: number;
}

/** Part of the idle timeout after which the cookie is written again. */
const RENEWAL = 0.1;

/** What a request says about its reader. */
export interface FoundReader {
  readonly identity: Identity;
  /** The `Set-Cookie` value that resets the idle timeout; undefined while it is recent. */
  readonly renewal: string | undefined;
}

/**
 * The sessions of readers of the documentation. All of it is in the sealed cookie: every node can read it, it survives
 * restarts of a deployment with a key, and nothing has to be stored for readers.
 */
export class ReaderSessions {
  readonly #cookie: SealedCookie<StoredReader>;
  readonly #limits: OpenidSettings['session'];
  readonly #clock: () => number;

  constructor(
    deployment: Deployment,
    path: string,
    owner: string,
    limits: OpenidSettings['session'],
    clock: () => number = () => Date.now(),
  ) {
    this.#cookie = new SealedCookie(deployment, { name: 'platform_reader', path, owner });
    this.#limits = limits;
    this.#clock = clock;
  }

  /** Returns the `Set-Cookie` value; undefined if the groups and scopes do not fit into a cookie. */
  start({ name, groups, scopes }: Person, secure: boolean): string | undefined {
    const now = this.#clock();
    return this.#write({ name, groups, scopes, startedAt: now, seenAt: now }, secure);
  }

  /** @param secure whether the cookie is for TLS only */
  find(request: Request, secure: boolean): FoundReader | undefined {
    // Most readers are guests.
    if (request.header('cookie')?.includes('platform_reader') !== true) return undefined;
    const now = this.#clock();
    const { idle, absolute } = this.#limits;
    const stored = this.#cookie.read(
      request,
      ({ startedAt, seenAt }) => now - seenAt < idle * 1_000 && now - startedAt < absolute * 1_000,
    );
    if (stored === undefined) return undefined;
    const { name, groups, scopes, seenAt } = stored;
    const isRecent = now - seenAt < idle * 1_000 * RENEWAL;
    return {
      identity: new AuthenticatedIdentity(name, groups, scopes),
      renewal: isRecent ? undefined : this.#write({ ...stored, seenAt: now }, secure),
    };
  }

  isIn(request: Request): boolean {
    return this.#cookie.isIn(request);
  }

  expired(secure: boolean): string {
    return this.#cookie.expired({ secure });
  }

  #write(reader: StoredReader, secure: boolean): string | undefined {
    const left = Math.ceil(this.#limits.absolute - (this.#clock() - reader.startedAt) / 1_000);
    return this.#cookie.set(reader, { secure, maxAge: Math.max(1, Math.min(this.#limits.idle, left)) });
  }
}
