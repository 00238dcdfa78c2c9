import { ENGLISH, type PageLanguage } from '../language/languages';
import type { Api } from '../model/api';
import { accessSummary } from './access';
import { firstParagraph } from '../text/markdown';

/** An API in the list of APIs: its default version, and links to the others. */
export interface ApiOverview {
  readonly name: string;
  /** The first paragraph of its description as text; may be empty. */
  readonly summary: string;
  /** E.g. `4 services, 12 operations`. */
  readonly size: string;
  /** Who may call its operations. */
  readonly access: string;
  readonly versions: readonly number[];
  readonly defaultVersion: number;
}

/** Returns the overview of each API, from its default version. @param apis every version of every API */
export function apiOverviews(apis: readonly Api[], language: PageLanguage = ENGLISH): readonly ApiOverview[] {
  return apis
    .filter((api) => api.getVersion() === api.getDefaultVersion())
    .map((api) => ({
      name: api.getName(),
      summary: firstParagraph(api.getDescription()),
      size: apiSize(api, language),
      access: accessSummary(api, language),
      versions: api.getVersions(),
      defaultVersion: api.getDefaultVersion(),
    }));
}

/**
 * Counts the services and operations of an API.
 *
 * @example
 * apiSize(api); // '4 services, 12 operations'
 */
export function apiSize(api: Api, language: PageLanguage = ENGLISH): string {
  const services = api.getServices();
  const operations = services.reduce(
    (count, service) => count + service.getOperations().length + service.getEntityOperations().length,
    0,
  );
  const counts = [
    language.text('size.services', { count: services.length }),
    language.text('size.operations', { count: operations }),
  ];
  return counts.join(', ');
}
