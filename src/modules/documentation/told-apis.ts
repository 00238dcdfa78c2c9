import type { Steps } from '../../framework';
import type { Catalogue } from '../hosting';
import { ApiListContent } from './content';
import { documentVersion } from './from-catalogue';
import type { Api } from './model/api';
import { Service } from './model/service';

/** To whom something is told: guests are told of what is public. */
export type Audience = 'guests' | 'users';

/** The versions of an API. */
type Versions = readonly Api[];

/** What one audience is told of: every version of every API, in one object each. */
export class ToldApis {
  readonly list: ApiListContent;
  readonly #versions: ReadonlyMap<string, Versions>;

  constructor(versions: ReadonlyMap<string, Versions>) {
    this.#versions = versions;
    this.list = new ApiListContent([...versions.values()].flat());
  }

  get names(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /** Rising; none for an unknown API. */
  versionsOf(name: string): Versions {
    return this.#versions.get(name) ?? [];
  }

  /** Undefined where there is none. @param version the default where none is given */
  version(name: string, version?: number): Api | undefined {
    const versions = this.versionsOf(name);
    const wanted = version ?? versions[0]?.getDefaultVersion();
    return versions.find((api) => api.getVersion() === wanted);
  }

  /** Whether a page is about something of this audience. */
  has(page: Api | Service): boolean {
    const api = page instanceof Service ? page.getApi() : page;
    return api !== null && this.version(api.getName(), api.getVersion()) === api;
  }
}

/** Documents everything that is hosted, for each audience; an API's version is the same object where both are told the same. */
export function* tellApis(
  catalogue: Catalogue,
  baseUrl: string,
): Steps<Readonly<Record<Audience, ToldApis>>> {
  const users = new Map<string, Versions>();
  const guests = new Map<string, Versions>();
  for (const api of catalogue.apis) {
    const versions = [];
    for (const version of api.versions) versions.push(yield* documentVersion(api, version, baseUrl));
    users.set(
      api.name,
      versions.map(({ forUsers }) => forUsers),
    );
    if (api.visibility !== 'public') continue;
    guests.set(
      api.name,
      versions.map(({ forGuests }) => forGuests),
    );
  }
  return { users: new ToldApis(users), guests: new ToldApis(guests) };
}
