import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

const COLLECTION: Readonly<Record<string, readonly [verb: string, suffix: string]>> = {
  GET: ['list', ''],
  POST: ['create', ''],
  PUT: ['replace', 'List'],
  PATCH: ['patch', 'List'],
  DELETE: ['delete', 'List'],
};

const ENTITY: Readonly<Record<string, string>> = { PUT: 'update' };

/**
 * Returns the name of an operation after the method of the resource: `listCountry`, `getCountry`,
 * `queryVisit`, `createVisit`, `patchVisit`, `deleteVisitList`; for RPC services after the HTTP method: `getDistance`.
 */
export function operationName(service: Service, operation: Operation): string {
  const method = operation.getHttpMethod().toUpperCase();
  const name = service.getName();
  const subpath = operation.getSubpath();
  if (subpath !== '') return `${subpath.slice(1)}${name}`;
  if (service.getKind() === 'rest' && !operation.isEntity()) {
    const [verb, suffix] = COLLECTION[method] ?? [method.toLowerCase(), 'List'];
    return `${verb}${name}${suffix}`;
  }
  const verb = service.getKind() === 'rest' ? ENTITY[method] : undefined;
  return `${verb ?? method.toLowerCase()}${name}`;
}
