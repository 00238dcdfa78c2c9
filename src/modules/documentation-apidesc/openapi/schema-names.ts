import type { Steps } from '../../../framework';
import type { Operation, Service } from '../../documentation';
import type { Components } from './components';
import { operationName } from './operation-id';

/**
 * Gives the schemas of a service their names in the document: what a GET of an entity answers has the name of
 * the service, a collection adds `Collection`, and what differs from both is named by its operation
 * (`VisitCreateRequest`). Entities come first, so that a collection refers to them.
 */
export function* nameSchemasOf(service: Service, name: string, components: Components): Steps<void> {
  const operations = [...service.getEntityOperations(), ...service.getOperations()];
  const entity = operations.find((operation) => operation.isEntity() && isRead(operation));
  const collection = operations.find((operation) => !operation.isEntity() && isRead(operation));
  if (service.getKind() === 'rest') {
    register(entity, name, components);
    yield;
    register(collection, `${name}Collection`, components);
  }
  for (const operation of operations) {
    const verb = verbOf(service, operation);
    const request = operation.getRequestSchema();
    if (request !== null) components.add(request, `${name}${verb}Request`, operation.getRequestExample());
    const response = operation.getResponseSchema();
    yield;
    if (response !== null) components.add(response, `${name}${verb}Response`, operation.getResponseExample());
    yield;
  }
}

function isRead(operation: Operation): boolean {
  return operation.getHttpMethod() === 'GET';
}

function register(operation: Operation | undefined, name: string, components: Components): void {
  const schema = operation?.getResponseSchema() ?? null;
  if (schema !== null) components.add(schema, name, operation?.getResponseExample());
}

/** `createVisit` is `Create`, `deleteVisitList` is `DeleteList`. */
function verbOf(service: Service, operation: Operation): string {
  const verb = operationName(service, operation).replace(service.getName(), '');
  return verb.charAt(0).toUpperCase() + verb.slice(1);
}
