import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/**
 * An operation's address within the page of its service.
 *
 * @example
 * docAnchor(country, getCountry); // 'GET-entity'
 * docAnchor(distance, getDistance); // 'GET'
 */
export function docAnchor(service: Service, operation: Operation): string {
  const method = operation.getHttpMethod();
  if (service.getKind() === 'rpc') return method;
  return `${method}-${operation.isEntity() ? 'entity' : 'collection'}`;
}
