import { objectOf, isSchema, type Steps } from '../../../../framework';
import { operationName, type JsonSchema, type Operation, type Service } from '../../../documentation';
import type { Components } from './components';

/**
 * Names the schemas of a service in the document: the response of an entity GET has the name of
 * the service, a collection adds `Collection`, and other schemas are named by their operation
 * (`VisitCreateRequest`). Entities come first, so that collections refer to them, even without an entity GET.
 */
export function* nameSchemasOf(service: Service, name: string, components: Components): Steps<void> {
  const operations = [...service.getEntityOperations(), ...service.getOperations()];
  const entity = operations.find((operation) => operation.isEntity() && isRead(operation));
  const collection = operations.find((operation) => !operation.isEntity() && isRead(operation));
  if (service.getKind() === 'rest') {
    if (entity === undefined) registerItems(collection, name, components);
    else register(entity, name, components);
    yield;
    register(collection, `${name}Collection`, components);
  }
  for (const operation of operations) {
    const verb = verbOf(service, operation);
    const request = operation.getRequestSchema();
    if (request !== null) components.add(request, `${name}${verb}Request`, operation.getRequestExample());
    const form = operation.getFormSchema();
    if (form !== null && form !== request)
      components.add(form, `${name}${verb}Form`, operation.getRequestExample());
    const response = operation.getResponseSchema();
    yield;
    if (response !== null) components.add(response, `${name}${verb}Response`, operation.getResponseExample());
    yield;
    for (const code of operation.getOtherResponseStatuses()) {
      const other = operation.getResponseSchema(code);
      if (other !== null) components.add(other, `${name}${verb}Response${code}`);
    }
  }
  // Most items of streams are among the schemas so far.
  for (const operation of operations) {
    const item = operation.getItemSchema();
    if (item !== undefined)
      components.add(item, `${name}${verbOf(service, operation)}Item`, operation.getItemExample());
  }
}

function isRead(operation: Operation): boolean {
  return operation.getHttpMethod() === 'GET';
}

function register(operation: Operation | undefined, name: string, components: Components): void {
  const schema = operation?.getResponseSchema() ?? null;
  if (schema !== null) components.add(schema, name, operation?.getResponseExample());
}

/** The items of a collection get the name of the service if no operation returns a single one. */
function registerItems(collection: Operation | undefined, name: string, components: Components): void {
  const schema = collection?.getResponseSchema() ?? undefined;
  const items = schema === undefined ? undefined : itemsOf(schema);
  // References already have a name.
  if (schema === undefined || items === undefined || '$ref' in items) return;
  // `#/$defs/…` refers to the root.
  components.add(isSchema(schema.$defs) ? { ...items, $defs: schema.$defs } : items, name);
}

/** Returns the schema of the entities of a list, a page or a HAL page; undefined for other responses. */
function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  if (isSchema(schema.items)) return schema.items;
  const page = objectOf(schema.properties);
  const embedded = isSchema(page._embedded) ? page._embedded.properties : undefined;
  const members = isSchema(embedded) ? embedded : 'page_size' in page ? page : {};
  const lists = Object.values(members).flatMap((one) =>
    isSchema(one) && isSchema(one.items) ? [one.items] : [],
  );
  return lists.length === 1 ? lists[0] : undefined;
}

/** `createVisit` is `Create`, `deleteVisitList` is `DeleteList`. */
function verbOf(service: Service, operation: Operation): string {
  const verb = operationName(service, operation).replace(service.getName(), '');
  return verb.charAt(0).toUpperCase() + verb.slice(1);
}
