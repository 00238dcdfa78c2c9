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

interface Keeper {
  readonly adapter: AuthenticationAdapter;
  readonly realm: string;
}

/** The adapters that verify credentials for an API or a service, in the order of the map. */
export class Guard {
  readonly adapters: readonly AuthenticationAdapter[];
  readonly descriptions: readonly AdapterDescription[];
  /** The adapters with the realms that they answer for. */
  readonly keepers: readonly Keeper[];

  constructor(adapters: readonly AuthenticationAdapter[], descriptions: readonly AdapterDescription[]) {
    this.adapters = adapters;
    this.descriptions = descriptions;
    this.keepers = adapters.map((adapter) => ({
      adapter,
      realm: descriptions.find(({ name }) => name === adapter.name)?.realm ?? adapter.name,
    }));
  }

  /** The adapters that answer for credentials of a scheme. */
  adaptersFor(scheme: string): readonly AuthenticationAdapter[] {
    return this.adapters.filter((adapter) => adapter.takes(scheme));
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
