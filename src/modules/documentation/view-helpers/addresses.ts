import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import { escapeHtml } from '../text/escape';

/**
 * Returns the URI of an operation (specification A.4), HTML-escaped: base URL, version and path. A
 * collection operation omits the optional identifier of the route, an entity operation keeps it. A service
 * without an API has its path only.
 *
 * @example
 * docServicePath(country, listCountries); // '/v2/atlas/countries'
 * docServicePath(country, getCountry); // '/v2/atlas/countries/:country_code'
 */
export function docServicePath(service: Service, operation: Operation): string {
  const api = service.getApi();
  const prefix = api === null ? '' : api.getBaseUrl() + api.getVersionPath();
  return escapeHtml(prefix + (service.getPaths(operation).at(-1) ?? ''));
}

/**
 * Returns the fragment of an operation in the page of its service.
 *
 * @example
 * docAnchor(country, getCountry); // 'GET-entity'
 * docAnchor(country, queryCountries); // 'POST-query'
 * docAnchor(distance, getDistance); // 'GET'
 */
export function docAnchor(service: Service, operation: Operation): string {
  const method = operation.getHttpMethod();
  if (service.getKind() === 'rpc') return method;
  const subpath = operation.getSubpath();
  if (subpath !== '') return `${method}-${subpath.slice(1)}`;
  return `${method}-${operation.isEntity() ? 'entity' : 'collection'}`;
}

/**
 * Returns a name as a part of a fragment: characters other than letters, digits, `_` and `-` are written as their codes, so that dots
 * separate names.
 *
 * @example
 * fragmentOf('a.b'); // 'a~2eb'
 */
export function fragmentOf(name: string): string {
  return name.replace(/[^\w-]/gu, (character) => `~${(character.codePointAt(0) ?? 0).toString(16)}`);
}
