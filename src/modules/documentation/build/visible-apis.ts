import { lazily, type Steps } from '../../../framework';
import type { Catalogue } from '../../hosting';
import { ApiContent, ApiListContent, ApiPageContent, ServiceContent } from '../content';
import { documentVersion, type Addresses } from './from-catalogue';
import type { Api } from '../model/api';
import { Service } from '../model/service';
import { pageCount } from '../view-helpers/service-groups';

/** The readers of the documentation; guests see only what is public. */
export type Audience = 'guests' | 'users';

/** A version of an API with its contents, which are the scopes of cached renderings. */
export class DocumentedVersion {
  readonly api: Api;
  readonly content: ApiContent;
  readonly #services: () => ReadonlyMap<string, ServiceContent>;
  /** The pages after the first, by number. */
  readonly #pages = new Map<number, ApiPageContent>();

  constructor(api: Api) {
    this.api = api;
    this.content = new ApiContent(api);
    this.#services = lazily(
      () => new Map(api.getServices().map((service) => [service.getName(), new ServiceContent(service)])),
    );
  }

  /** The number of pages that list its operations. */
  get pages(): number {
    return pageCount(this.api);
  }

  /** Undefined for an unknown page. @param number from 1 */
  page(number: number): ApiContent | undefined {
    if (number === 1) return this.content;
    if (!Number.isInteger(number) || number < 1 || number > this.pages) return undefined;
    const page = this.#pages.get(number) ?? new ApiPageContent(this.api, number);
    this.#pages.set(number, page);
    return page;
  }

  /** Undefined for an unknown service. */
  service(name: string): ServiceContent | undefined {
    return this.#services().get(name);
  }
}

/** The versions of an API. */
type Versions = readonly DocumentedVersion[];

/** The APIs that one audience sees. */
export class VisibleApis {
  readonly list: ApiListContent;
  readonly #versions: ReadonlyMap<string, Versions>;
  /** By name and number; undefined is the default version. */
  readonly #byNumber: ReadonlyMap<string, ReadonlyMap<number | undefined, DocumentedVersion>>;

  constructor(versions: ReadonlyMap<string, Versions>) {
    this.#versions = versions;
    this.#byNumber = new Map([...versions].map(([name, list]) => [name, byNumber(list)]));
    this.list = new ApiListContent([...versions.values()].flat().map(({ api }) => api));
  }

  get names(): readonly string[] {
    return [...this.#versions.keys()];
  }

  /** Ascending; empty for an unknown API. */
  versionsOf(name: string): Versions {
    return this.#versions.get(name) ?? [];
  }

  /** Undefined for an unknown version. @param version defaults to the default version */
  version(name: string, version?: number): DocumentedVersion | undefined {
    return this.#byNumber.get(name)?.get(version);
  }

  /** Whether a page belongs to this audience. */
  has(page: Api | Service): boolean {
    const api = page instanceof Service ? page.getApi() : page;
    return api !== null && this.version(api.getName(), api.getVersion())?.api === api;
  }
}

function byNumber(versions: Versions): ReadonlyMap<number | undefined, DocumentedVersion> {
  const found = new Map<number | undefined, DocumentedVersion>();
  for (const version of versions) {
    const number = version.api.getVersion();
    found.set(number, version);
    if (number === version.api.getDefaultVersion()) found.set(undefined, version);
  }
  return found;
}

/** Documents all hosted APIs for each audience. Both share a version without hidden services. */
export function* visibleApis(
  catalogue: Catalogue,
  addresses: Addresses,
): Steps<Readonly<Record<Audience, VisibleApis>>> {
  const users = new Map<string, Versions>();
  const guests = new Map<string, Versions>();
  for (const api of catalogue.apis) {
    const forUsers: DocumentedVersion[] = [];
    const forGuests: DocumentedVersion[] = [];
    for (const hosted of api.versions) {
      const documented = yield* documentVersion(api, hosted, addresses);
      const version = new DocumentedVersion(documented.forUsers);
      const isShared = documented.forGuests === documented.forUsers;
      forUsers.push(version);
      forGuests.push(isShared ? version : new DocumentedVersion(documented.forGuests));
    }
    users.set(api.name, forUsers);
    if (api.visibility === 'public') guests.set(api.name, forGuests);
  }
  return { users: new VisibleApis(users), guests: new VisibleApis(guests) };
}
