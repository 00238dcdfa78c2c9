import { operationName as nameOf, type ServicePart } from '../../hosting';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';

/** Returns the name of an operation, such as `listCountry`. */
export function operationName(service: Service, operation: Operation): string {
  return nameOf(namedOperation(service, operation));
}

/** What an operation is named after. */
export function namedOperation(
  service: Service,
  operation: Operation,
): { readonly service: string; readonly part: ServicePart; readonly method: string } {
  const subpath = operation.getSubpath();
  const restPart = operation.isEntity() ? 'entity' : 'collection';
  return {
    service: service.getName(),
    part: service.getKind() === 'rest' ? restPart : 'rpc',
    method: subpath === '' ? operation.getHttpMethod() : subpath.slice(1),
  };
}
