import type { Endpoint } from '../../framework';
import type { Catalogue } from '../hosting';
import { needsUser, type AccessRule, type Guards } from '../mvc-auth';
import type { DocumentationLinks } from './documentation-links';

/** What leads from an operation to the description of its API. */
export interface DescriptionLink {
  /** The value of the field `Link`. */
  readonly value: string;
  /** Who may read what it leads to: nobody else is told that it is there. */
  readonly readers: AccessRule;
}

/**
 * Where each operation of the APIs is described, made once: every answer of an API carries one.
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
    const readers = visibility === 'public' || needsUser(access) ? access : 'authenticated';
    for (const { version, services } of versions) {
      const value = links.description({ api, version });
      if (value === undefined) continue;
      const isGuarded = guards.ofApi(api, version) !== undefined;
      for (const { guard, operations, entityOperations } of services) {
        // Who is known to a service alone may not sign in to read of its API.
        if (needsUser(readers) && guard !== undefined && !isGuarded) continue;
        for (const endpoint of [...operations, ...entityOperations]) made.set(endpoint, { value, readers });
      }
    }
  }
  return made;
}
