import { problem, type Problem } from '../../framework';
import type { AuthenticationAdapter } from './adapter';
import { strongestFirst } from './challenge-strength';

/** What is known of an adapter's configuration, for documentation. */
export interface AdapterDescription {
  readonly name: string;
  readonly realm: string;
  /** In lower case, e.g. `digest`. */
  readonly schemes: readonly string[];
}

/** The adapters that verify credentials for an API or a service, in the order of the map. */
export class Guard {
  readonly adapters: readonly AuthenticationAdapter[];
  readonly descriptions: readonly AdapterDescription[];
  readonly #realms: ReadonlyMap<AuthenticationAdapter, string>;

  constructor(adapters: readonly AuthenticationAdapter[], descriptions: readonly AdapterDescription[]) {
    this.adapters = adapters;
    this.descriptions = descriptions;
    this.#realms = new Map(
      adapters.map((adapter) => [
        adapter,
        descriptions.find(({ name }) => name === adapter.name)?.realm ?? adapter.name,
      ]),
    );
  }

  /** The adapters that answer for credentials of a scheme. */
  adaptersFor(scheme: string): readonly AuthenticationAdapter[] {
    return this.adapters.filter((adapter) => adapter.takes(scheme));
  }

  realmOf(adapter: AuthenticationAdapter): string {
    return this.#realms.get(adapter) ?? adapter.name;
  }

  /**
   * The refusal: with every challenge, one field line each, and the same four members whatever the cause
   * (specification, 7; RFC 9110, 15.5.2).
   *
   * @param stale the adapters that found credentials right but for the nonce
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
