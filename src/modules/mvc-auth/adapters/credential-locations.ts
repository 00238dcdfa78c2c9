import { splitTarget, type Request } from '../../../framework';
import { isSameLocation, type CredentialLocation, type SentCredential } from '../http/credential-location';
import type { AuthenticationAdapter } from './adapter';

/** The places besides `Authorization` where the adapters of a guard find credentials. */
export class CredentialLocations {
  /** Header fields besides `Authorization`, as the adapters write them. */
  readonly headers: readonly string[];
  /** Query parameters. */
  readonly parameters: readonly string[];
  readonly #headers: readonly (readonly [name: string, lowerCase: string])[];

  private constructor(locations: readonly CredentialLocation[]) {
    const headers = namesIn(locations, 'header');
    this.#headers = [...new Map(headers.map((name) => [name.toLowerCase(), name]))].map(
      ([lowerCase, name]) => [name, lowerCase],
    );
    this.headers = this.#headers.map(([name]) => name);
    this.parameters = [...new Set(namesIn(locations, 'query'))];
  }

  /** Returns undefined if all adapters find their credentials in `Authorization`. */
  static of(adapters: readonly AuthenticationAdapter[]): CredentialLocations | undefined {
    const locations = adapters.flatMap(({ credentials = [] }) => credentials);
    return locations.length === 0 ? undefined : new CredentialLocations(locations);
  }

  /** Returns every credential of a request in these places: more than one of a repeated field or parameter. */
  credentialsIn(request: Request): readonly SentCredential[] {
    const found: SentCredential[] = [];
    for (const [name, lowerCase] of this.#headers) {
      if (request.header(lowerCase) === undefined) continue;
      for (const value of request.headerLines(lowerCase)) found.push({ in: 'header', name, value });
    }
    const parameters = this.#queryOf(request);
    if (parameters === undefined) return found;
    for (const name of this.parameters)
      for (const value of parameters.getAll(name)) found.push({ in: 'query', name, value });
    return found;
  }

  /** Whether a request has a credential in one of these places. */
  hasCredentials(request: Request): boolean {
    for (const [, lowerCase] of this.#headers) if (request.header(lowerCase) !== undefined) return true;
    const parameters = this.#queryOf(request);
    return parameters !== undefined && this.parameters.some((name) => parameters.has(name));
  }

  /** The query as the client sent it: that of the request lacks the credentials. Undefined if none may be there. */
  #queryOf(request: Request): URLSearchParams | undefined {
    if (this.parameters.length === 0) return undefined;
    const { query } = splitTarget(request.target);
    return query === '' ? undefined : new URLSearchParams(query);
  }
}

/** Whether an adapter finds credentials in a place besides `Authorization`. */
export function readsCredentialsAt(adapter: AuthenticationAdapter, at: CredentialLocation): boolean {
  return adapter.credentials?.some((location) => isSameLocation(location, at)) === true;
}

function namesIn(
  locations: readonly CredentialLocation[],
  place: CredentialLocation['in'],
): readonly string[] {
  return locations.filter((location) => location.in === place).map(({ name }) => name);
}
