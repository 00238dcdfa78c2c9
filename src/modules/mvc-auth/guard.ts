import { problem, type Problem } from '../../framework';
import type { AuthenticationAdapter } from './adapter';

/** What is known of an adapter's configuration, for documentation. */
export interface AdapterDescription {
  readonly name: string;
  readonly realm: string;
  readonly schemes: readonly ('basic' | 'digest')[];
}

/** The adapters that verify credentials for an API or a service, the strongest first. */
export class Guard {
  readonly adapters: readonly AuthenticationAdapter[];
  readonly descriptions: readonly AdapterDescription[];

  constructor(adapters: readonly AuthenticationAdapter[], descriptions: readonly AdapterDescription[]) {
    this.adapters = adapters;
    this.descriptions = descriptions;
  }

  /** The adapter that answers for credentials of a scheme. */
  adapterFor(scheme: string): AuthenticationAdapter | undefined {
    return this.adapters.find((adapter) => adapter.takes(scheme));
  }

  /**
   * The refusal: with every challenge, one field line each, and the same four members whatever the cause
   * (specification, 7; RFC 9110, 15.5.2).
   */
  unauthorized(stale = false): Problem {
    const challenges = this.adapters.flatMap((adapter) => adapter.challenges(stale));
    return problem(
      'unauthorized',
      {},
      {
        fields: [
          ...challenges.map((challenge) => ['WWW-Authenticate', challenge] as const),
          ['Cache-Control', 'no-store'],
        ],
      },
    );
  }
}
