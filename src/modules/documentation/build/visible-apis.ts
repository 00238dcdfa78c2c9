import type { RenderSteps } from '../../../framework';
import type { Catalogue } from '../../hosting';
import { ApiListContent } from '../content';
import { documentVersion } from './from-catalogue';
import type { Api } from '../model/api';
import { Service } from '../model/service';

/** Who reads the documentation; guests see what is public. */
export type Audience = 'guests' | 'users';

/** The versions of an API. */
type Versions = readonly Api[];

/** The APIs that one audience sees. */
export class VisibleApis {
  readonly list: ApiListContent;
  readonly #versions: ReadonlyMap<string, Versions>;

  constructor(versions: ReadonlyMap<string, Versions>) {
    this.#versions = versions;
    this.list = new ApiListContent([...versions.values()].flat());
  }

  get names(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /** Ascending; empty for an unknown API. */
  versionsOf(name: string): Versions {
    return this.#versions.get(name) ?? [];
  }

  /** Undefined for an unknown version. @param version defaults to the default version */
  version(name: string, version?: number): Api | undefined {
    const versions = this.versionsOf(name);
    const wanted = version ?? versions[0]?.getDefaultVersion();
    return versions.find((api) => api.getVersion() === wanted);
  }

  /** Whether a page belongs to this audience. */
  has(page: Api | Service): boolean {
    const api = page instanceof Service ? page.getApi() : page;
    return api !== null && this.version(api.getName(), api.getVersion()) === api;
  }
}

/** Documents all hosted APIs for each audience. Both share the object of a version without hidden services. */
export function* visibleApis(
  catalogue: Catalogue,
  baseUrl: string,
): RenderSteps<Readonly<Record<Audience, VisibleApis>>> {
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
  return { users: new VisibleApis(users), guests: new VisibleApis(guests) };
}
