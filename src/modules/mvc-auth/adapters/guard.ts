import { problem, type Problem } from '../../../framework';
import type { AuthenticationAdapter, RequestOrigin } from './adapter';
import { strongestFirst } from './challenge-strength';

/** An adapter's configuration, for documentation. */
export interface AdapterDescription {
  readonly name: string;
  readonly realm: string;
  /** Lower case, e.g. `digest`. */
  readonly schemes: readonly string[];
}

export interface RealmAdapter {
  readonly adapter: AuthenticationAdapter;
  readonly realm: string;
}

/** The adapters that guard an API or a service, in the order of the map. */
export class Guard {
  readonly adapters: readonly AuthenticationAdapter[];
  readonly descriptions: readonly AdapterDescription[];
  readonly realmAdapters: readonly RealmAdapter[];
  readonly #isRestricted: boolean;

  constructor(adapters: readonly AuthenticationAdapter[], descriptions: readonly AdapterDescription[]) {
    this.adapters = adapters;
    this.descriptions = descriptions;
    this.#isRestricted = adapters.some((adapter) => adapter.refusal !== undefined);
    this.realmAdapters = adapters.map((adapter) => ({
      adapter,
      realm: descriptions.find(({ name }) => name === adapter.name)?.realm ?? adapter.name,
    }));
  }

  /** The guard with only those adapters that accept the origin; if none does, the problem of the first one. */
  reachableFrom(origin: RequestOrigin): Guard | Problem {
    if (!this.#isRestricted) return this;
    const refusals = this.adapters.map((adapter) => adapter.refusal?.(origin));
    const reachable = this.adapters.filter((_, at) => refusals[at] === undefined);
    if (reachable.length === this.adapters.length) return this;
    return reachable.length === 0
      ? (refusals[0] ?? this)
      : new Guard(
          reachable,
          this.descriptions.filter(({ name }) => reachable.some((adapter) => adapter.name === name)),
        );
  }

  adaptersFor(scheme: string): readonly AuthenticationAdapter[] {
    return this.adapters.filter((adapter) => adapter.takes(scheme));
  }

  /**
   * Returns the 401 with every challenge, one field line each, and the same four members whatever the cause
   * (specification, 7; RFC 9110, 15.5.2).
   *
   * @param stale adapters to which only the nonce was not acceptable
   */
  unauthorized(stale: readonly AuthenticationAdapter[] = []): Problem {
    const challenges = this.adapters.flatMap((adapter) => adapter.challenges(stale.includes(adapter)));
    return problem(
      'unauthorized',
      {},
      {
        fields: [
          ...strongestFirst(challenges).map((challenge) => ['WWW-Authenticate', challenge] as const),
          ['Cache-Control', 'no-store'],
        ],
      },
    );
  }
}
