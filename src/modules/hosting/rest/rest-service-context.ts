import { problem, type MvcEvent } from '../../../framework';
import { EventContext } from '../context';
import type { RestServiceDefinition } from '../definition/definition';
import type { Validator } from '../../content-validation';
import { decodeCursor, FOREIGN_CURSOR, listKeyOf } from './cursor';
import { formatId, idOfEntity, requestedId, routeIdentifiers } from './identifier';
import type { EntityId } from '../definition/entity-id';
import { pageOf, type Paging } from './paging';
import { patchPointer } from './patch/patch-pointer';
import { patchedEntity } from './patch/patched-entity';
import type {
  CollectionContext,
  EntityPatch,
  PageRequest,
  PatchContext,
  AnyResource,
} from '../definition/resource';
import type { ResponseChecks } from '../responses/response-checks';
import { parseSort, type SortKey } from './sort';

/** What the handlers of a REST service share. */
export interface RestServiceContext {
  readonly api: string;
  readonly version: number;
  readonly service: string;
  readonly definition: RestServiceDefinition;
  /** Its `route_identifier_name`: requests to many services need not wait for the memory of their definitions. */
  readonly identifiers: RestServiceDefinition['route_identifier_name'];
  readonly resource: AnyResource;
  readonly paging: Paging | undefined;
  /** Validates cursors; undefined without cursor pagination. */
  readonly cursorValidator: Validator | undefined;
  /** Validates patched entities; undefined without PATCH. */
  readonly entityValidator: Validator | undefined;
  /** Logs advice for authors. */
  readonly checks: Pick<ResponseChecks, 'warnOnce'>;
  /**
   * Returns a function that builds entity paths for `Location` and links, if URLs can name them; called once per response.
   * Undefined without operations of entities, whose paths respond 405.
   */
  readonly locate: ((event: MvcEvent) => ((id: EntityId) => string) | undefined) | undefined;
  /** The entity tag variant of a request; empty for the default. */
  readonly variantOf: (event: MvcEvent) => string;
}

/** Handles one operation. */
export type RestHandler = (event: MvcEvent) => unknown;

/** Returns the identifier in the route; empty for collections. */
export function idOf({ identifiers }: RestServiceContext, event: MvcEvent): EntityId {
  return requestedId(identifiers, event);
}

/** Whether a request is about an entity, rather than the collection. */
export function isAboutEntity({ definition }: RestServiceContext, { parameters }: MvcEvent): boolean {
  return routeIdentifiers(definition).every((name) => parameters[name] !== undefined);
}

/** Whether the body of a POST may be a list. */
export function createsLists(
  { max_items: maxItems }: Pick<RestServiceDefinition, 'max_items'>,
  resource: AnyResource,
): boolean {
  return resource.createList !== undefined && maxItems !== 1;
}

/** Names what a request is about, for messages. */
export function subjectOf(serviceContext: RestServiceContext, event: MvcEvent): string {
  const { service } = serviceContext;
  return isAboutEntity(serviceContext, event)
    ? `${service} "${formatId(idOf(serviceContext, event))}"`
    : `The collection of ${service}`;
}

/** The context passed to the methods of a resource. */
export class RestHandlerContext extends EventContext {
  readonly #serviceContext: RestServiceContext;

  constructor(event: MvcEvent, serviceContext: RestServiceContext) {
    super(event, serviceContext.api, serviceContext.version);
    this.#serviceContext = serviceContext;
  }

  protected override get subject(): string {
    return subjectOf(this.#serviceContext, this.event);
  }
}

/** Accepts every value. */
export const acceptAnything: Validator = (value) => ({ value });

/** The context of `patch` and `patchList`. */
export class PatchHandlerContext extends RestHandlerContext implements PatchContext {
  readonly #validate: Validator;
  readonly #definition: RestServiceDefinition;
  readonly #patches: readonly EntityPatch<unknown, EntityId>[];

  /** @param patches patches of a list body, in its order; none if the body is one patch */
  constructor(
    event: MvcEvent,
    serviceContext: RestServiceContext,
    patches: readonly EntityPatch<unknown, EntityId>[] = [],
  ) {
    super(event, serviceContext);
    this.#validate = serviceContext.entityValidator ?? acceptAnything;
    this.#definition = serviceContext.definition;
    this.#patches = patches;
  }

  get merge(): PatchContext['merge'] {
    return (entity, patch) => {
      // Only for an error: it searches the list.
      const pointer = (): string => patchPointer(this.#patches, patch, idOfEntity(this.#definition, entity));
      return patchedEntity(entity, patch, this.#validate, pointer);
    };
  }
}

/** What the response with a list depends on. */
export interface ListHandlerContext extends CollectionContext<unknown> {
  /** The called method of the resource, for messages. */
  readonly resourceMethod: 'fetchAll' | 'queryAll';
  /** Identifies the list, for its cursors. */
  readonly listKey: string;
  /** The query of the URLs of its pages, without `?`; undefined if they have none of their own. */
  readonly urlQuery: string | undefined;
}

/** The context of `fetchAll`. */
export class CollectionHandlerContext extends RestHandlerContext implements ListHandlerContext {
  readonly resourceMethod = 'fetchAll';
  readonly page: PageRequest;
  readonly sort: readonly SortKey[];
  readonly cursor: unknown;
  #listKey: string | undefined;

  /** @throws Problem 400 for an invalid cursor */
  constructor(event: MvcEvent, serviceContext: RestServiceContext) {
    super(event, serviceContext);
    const { cursorValidator: cursorCheck, definition, paging } = serviceContext;
    const { cursor } = this.query;
    this.page = pageOf(this.query, paging);
    const names = definition.collection?.GET?.sort;
    this.sort = names === undefined ? [] : parseSort(names, this.query.sort);
    if (cursorCheck === undefined || typeof cursor !== 'string') return;
    const decoded = decodeCursor(cursor, this.listKey, cursorCheck);
    if (decoded === undefined) {
      const errors = [{ parameter: 'cursor', message: FOREIGN_CURSOR }];
      throw problem('bad_query', { names: ['cursor'] }, { extensions: { errors } });
    }
    this.cursor = decoded.value;
  }

  get listKey(): string {
    return (this.#listKey ??= listKeyOf(this.urlQuery, this.event.parameters));
  }

  get urlQuery(): string {
    return this.event.request.rawQuery;
  }
}
