import { oncePer, type Endpoint } from '../../../framework';
import { isHosted, type Catalogue, type HostedApi, type HostedEndpoint } from '../../hosting';
import { requiresUser, type AccessRule, type Guards } from '../../mvc-auth';
import type { DocumentationLinks } from '../routes/documentation-links';

/** A link from the responses of an operation to the description of its API. */
export interface DescriptionLink {
  /** The value of `Link`. */
  readonly value: string;
  /** The access rule of the description: only its readers get the link. */
  readonly readers: AccessRule;
}

/** The description links of endpoints. */
export class DescriptionLinks {
  readonly #visibility: ReadonlyMap<string, HostedApi['visibility']>;
  readonly #guards: Guards;
  readonly #access: AccessRule;
  readonly #links: DocumentationLinks;
  /** Undefined for an endpoint of no API, and for one whose users may not read the description. */
  readonly of = oncePer((endpoint: Endpoint) => (isHosted(endpoint) ? this.#make(endpoint) : undefined));

  /** @param access who may read the documentation */
  constructor({ apis }: Catalogue, guards: Guards, access: AccessRule, links: DocumentationLinks) {
    this.#visibility = new Map(apis.map(({ name, visibility }) => [name, visibility]));
    this.#guards = guards;
    this.#access = access;
    this.#links = links;
  }

  #make({ api, version, guard }: HostedEndpoint): DescriptionLink | undefined {
    const visibility = this.#visibility.get(api);
    const value = this.#links.description({ api, version });
    if (visibility === undefined || value === undefined) return undefined;
    const isPublic = visibility === 'public';
    const readers = isPublic || requiresUser(this.#access) ? this.#access : 'authenticated';
    const ofReaders = isPublic ? this.#guards.ofApi(api, version) : this.#guards.ofHiddenApi(api, version);
    // Users of a service adapter may not read the documentation of its API.
    if (requiresUser(readers) && guard !== undefined && ofReaders === undefined) return undefined;
    return { value, readers };
  }
}
