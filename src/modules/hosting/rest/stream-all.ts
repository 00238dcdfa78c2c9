import { objectOf, isSchema, problem, type Endpoint } from '../../../framework';
import type { TSchema } from '@sinclair/typebox';
import type { RestServiceDefinition } from '../definition/definition';
import type { OperationDefinition } from '../definition/operation-definition';
import { failedValidation } from '../../content-validation';
import { QueryHandlerContext } from './query-context';
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
  if (part !== 'collection' || stream === undefined || paging === undefined) return undefined;
  const item = itemOf(definition, response);
  if (method === 'GET' && resource.streamAll !== undefined)
    return {
      item,
      handler: (event) => {
        assertUnpaged(event.request.query, paging);
        return resource.streamAll?.(new CollectionHandlerContext(event, serviceContext));
      },
    };
  if (method === 'QUERY' && resource.streamQuery !== undefined)
    return {
      item,
      handler: (event) => {
        const context = new QueryHandlerContext(event, serviceContext);
        assertUnpagedBody(context.body, paging);
        return resource.streamQuery?.(context.body, context);
      },
    };
  return undefined;
}

/** The items of the declared page, or the entity. */
function itemOf({ collection_name: name = 'items', fields }: RestServiceDefinition, page?: TSchema): TSchema {
  const list = objectOf(page?.properties)[name];
  return isSchema(list) && isSchema(list.items) ? (list.items as TSchema) : fields;
}

const NOT_PAGED = 'applies to pages; a stream has all entities';

/** A stream has all entities: parameters of pages would be ignored. @throws Problem 400 */
function assertUnpaged(query: URLSearchParams, paging: Paging): void {
  const names = pageMembers(paging).filter((name) => query.has(name));
  if (names.length === 0) return;
  const errors = names.map((parameter) => ({ parameter, message: NOT_PAGED }));
  throw problem('bad_query', { names }, { extensions: { errors } });
}

/** @throws Problem 422 */
function assertUnpagedBody(body: Readonly<Record<string, unknown>>, paging: Paging): void {
  const names = pageMembers(paging).filter((name) => body[name] !== undefined);
  if (names.length === 0) return;
  throw failedValidation(
    names.map((name) => ({ pointer: `/${name}`, keyword: 'stream', message: NOT_PAGED })),
  );
}

function pageMembers({ byCursor }: Paging): readonly string[] {
  return [byCursor ? 'cursor' : 'page', 'page_size'];
}
