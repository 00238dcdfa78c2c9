import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { escapeHtml } from './escape';

/**
 * The path of an operation's URI (specification A.4), HTML-escaped, without base URL and version. A collection's operation
 * drops the optional part of the route that holds the identifier, an entity's keeps it.
 *
 * @example
 * docServicePath(country, listCountries); // '/atlas/countries'
 * docServicePath(country, getCountry); // '/atlas/countries/:country_code'
 */
export function docServicePath(service: Service, operation: Operation): string {
  return escapeHtml(service.getPaths(operation).at(-1) ?? '');
}
