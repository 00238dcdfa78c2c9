import type { Endpoint } from '../../../framework';
import type { Catalogue } from '../../hosting';
import { requiresUser, type AccessRule, type Guards } from '../../mvc-auth';
import type { DocumentationLinks } from '../routes/documentation-links';

/** A link from the responses of an operation to the description of its API. */
export interface DescriptionLink {
  /** The value of `Link`. */
  readonly value: string;
  /** The access rule of the description: only its readers get the link. */
  readonly readers: AccessRule;
}

/**
 * Returns the description link of each endpoint.
 * @param access who may read the documentation
 */
export function descriptionLinks(
  catalogue: Catalogue,
  guards: Guards,
  access: AccessRule,
  links: DocumentationLinks,
): ReadonlyMap<Endpoint, DescriptionLink> {
  const made = new Map<Endpoint, DescriptionLink>();
  for (const { name: api, visibility, versions } of catalogue.apis) {
    const readers = visibility === 'public' || requiresUser(access) ? access : 'authenticated';
    for (const { version, services } of versions) {
      const value = links.description({ api, version });
      if (value === undefined) continue;
      const ofReaders =
        visibility === 'public' ? guards.ofApi(api, version) : guards.ofHiddenApi(api, version);
      for (const { guard, operations, entityOperations } of services) {
        // Users of a service adapter may not read the documentation of its API.
        if (requiresUser(readers) && guard !== undefined && ofReaders === undefined) continue;
        for (const endpoint of [...operations, ...entityOperations]) made.set(endpoint, { value, readers });
      }
    }
  }
  return made;
}
