import { objectOf, isSchema, problem, type Endpoint } from '../../../framework';
import type { TSchema } from '@sinclair/typebox';
import type { RestServiceDefinition } from '../definition/definition';
import type { OperationDefinition } from '../definition/operation-definition';
import { CollectionHandlerContext, type RestServiceContext } from './rest-service-context';
import type { Paging } from './paging';

/** How a paged collection is streamed as well. */
export interface StreamedAside {
  /** The schema of an item. */
  readonly item: TSchema;
  /** Returns all entities. */
  readonly handler: Endpoint['handler'];
}

/** Returns how a paged collection is streamed as well; undefined if it is not. */
export function streamedAside(
  serviceContext: RestServiceContext,
  part: 'collection' | 'entity',
  method: string,
  { stream, response }: OperationDefinition,
): StreamedAside | undefined {
  const { resource, paging, definition } = serviceContext;
  if (part !== 'collection' || method !== 'GET' || stream === undefined || paging === undefined)
    return undefined;
  if (resource.streamAll === undefined) return undefined;
  return {
    item: itemOf(definition, response),
    handler: (event) => {
      assertUnpaged(event.request.query, paging);
      return resource.streamAll?.(new CollectionHandlerContext(event, serviceContext));
    },
  };
}

/** The items of the declared page, or the entity. */
function itemOf({ collection_name: name = 'items', fields }: RestServiceDefinition, page?: TSchema): TSchema {
  const list = objectOf(page?.properties)[name];
  return isSchema(list) && isSchema(list.items) ? (list.items as TSchema) : fields;
}

/** A stream has all entities: parameters of pages would be ignored. @throws Problem 400 */
function assertUnpaged(query: URLSearchParams, { byCursor }: Paging): void {
  const names = [byCursor ? 'cursor' : 'page', 'page_size'].filter((name) => query.has(name));
  if (names.length === 0) return;
  const errors = names.map((parameter) => ({
    parameter,
    message: 'applies to pages; a stream has all entities',
  }));
  throw problem('bad_query', { names }, { extensions: { errors } });
}
