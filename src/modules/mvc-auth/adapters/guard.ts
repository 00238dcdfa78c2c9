import { problem, withoutStack, type Problem, type Request } from '../../../framework';
import type { AuthenticationAdapter, RequestOrigin } from './adapter';
import { strongestFirst } from './challenge-strength';
import { CredentialLocations, readsCredentialsAt } from './credential-locations';
import { withParameters, type ChallengeParameters } from '../http/challenge-parameters';
import { schemeOf } from '../http/credentials';
import type { SecurityScheme } from './security-scheme';

/** An adapter's configuration, for documentation. */
export interface AdapterDescription {
  readonly name: string;
  readonly realm: string;
  /** Lower case, e.g. `digest`; empty for an adapter without an HTTP authentication scheme. */
  readonly schemes: readonly string[];
  /** What clients send, as OpenAPI describes it; defaults to the HTTP schemes in `schemes`. */
  readonly security?: readonly SecurityScheme[];
}

/** Why an adapter refused credentials, for its challenges and the log. */
export interface Refusal {
  readonly adapter: AuthenticationAdapter;
  /** Whether only the nonce or the token was not acceptable any more. */
  readonly stale: boolean;
  readonly parameters?: ChallengeParameters | undefined;
  readonly reason?: string | undefined;
}

/** An adapter with the realm that its challenges state. */
export interface RealmAdapter {
  readonly adapter: AuthenticationAdapter;
  readonly realm: string;
}

/** The adapters that guard an API or a service, in the order of the map. */
export class Guard {
  readonly adapters: readonly AuthenticationAdapter[];
  readonly descriptions: readonly AdapterDescription[];
  readonly realmAdapters: readonly RealmAdapter[];
  /** Where credentials may be besides `Authorization`; undefined if nowhere. */
  readonly locations: CredentialLocations | undefined;
  /** The header fields that responses vary on: `Authorization`, and those that carry other credentials. */
  readonly vary: readonly string[];
  readonly #isRestricted: boolean;

  constructor(adapters: readonly AuthenticationAdapter[], descriptions: readonly AdapterDescription[]) {
    this.adapters = adapters;
    this.descriptions = descriptions;
    this.locations = CredentialLocations.of(adapters);
    this.vary = ['Authorization', ...(this.locations?.headers ?? [])];
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

  /** Whether requests with credentials of an adapter have credentials that this guard reads, and verifies or refuses. */
  readsCredentialsOf({ schemes, credentials = [] }: AuthenticationAdapter): boolean {
    if (schemes.length > 0) return true;
    return credentials.some((at) => this.adapters.some((own) => readsCredentialsAt(own, at)));
  }

  adaptersFor(scheme: string): readonly AuthenticationAdapter[] {
    return this.adapters.filter((adapter) => adapter.takes(scheme));
  }

  /** Whether a request has credentials, valid or not. */
  hasCredentials(request: Request): boolean {
    if (request.header('authorization') !== undefined) return true;
    return this.locations?.hasCredentials(request) === true;
  }

  /** The adapters that verify the credentials of a request; empty without credentials. */
  adaptersForRequest(request: Request): readonly AuthenticationAdapter[] {
    const authorization = request.header('authorization');
    if (authorization !== undefined) return this.adaptersFor(schemeOf(authorization));
    const [credential] = this.locations?.credentialsIn(request) ?? [];
    if (credential === undefined) return [];
    return this.adapters.filter((adapter) => readsCredentialsAt(adapter, credential));
  }

  /**
   * Returns the 401 with every challenge, one field line each, and the same four members whatever the cause
   * (specification, 7; RFC 9110, 15.5.2).
   *
   * @param refusals of adapters that say more in their challenges
   */
  unauthorized(refusals: readonly Refusal[] = []): Problem {
    const fields = [...this.challenges(refusals), ['Cache-Control', 'no-store'] as const];
    return withoutStack(() => problem('unauthorized', {}, { fields }));
  }

  /** Returns every challenge as a field line, strongest first. @param refusals as for {@link unauthorized} */
  challenges(refusals: readonly Refusal[] = []): readonly (readonly [name: string, value: string])[] {
    const challenges = this.adapters.flatMap((adapter) => {
      const refusal = refusals.find((one) => one.adapter === adapter);
      return withParameters(adapter.challenges(refusal?.stale === true), refusal?.parameters);
    });
    return strongestFirst(challenges).map((challenge) => ['WWW-Authenticate', challenge] as const);
  }
}
