import { andThen, problem, Response, StartError, type MaybePromise, type MvcEvent } from '../../framework';
import type { RestServiceDefinition } from './definition';
import { EventContext } from './context';
import { linkField, pageCount, pageOf, type Paging } from './paging';
import {
  resourceMethods,
  type CollectionContext,
  type Page,
  type PageRequest,
  type RestResource,
} from './resource';

/** What the handlers of a REST service share. */
export interface RestSetting {
  readonly api: string;
  readonly version: number;
  readonly service: string;
  readonly definition: RestServiceDefinition;
  readonly resource: RestResource;
  readonly paging: Paging | undefined;
  /** The path of an entity, for `Location`. */
  readonly locate: (event: MvcEvent, id: string) => string;
}

type Handler = (event: MvcEvent) => unknown;

/**
 * The handler of one operation.
 * @throws StartError when the resource lacks the method that the operation needs
 */
export function restHandler(setting: RestSetting, part: 'collection' | 'entity', method: string): Handler {
  const { service, resource, api, version } = setting;
  const table: Readonly<Record<string, keyof RestResource>> = resourceMethods[part];
  const name = table[method];
  if (name === undefined || typeof resource[name] !== 'function') {
    const needed =
      name === undefined ? `one of ${Object.keys(table).join(', ')}` : `a method ${name}() of the resource`;
    throw new StartError(
      `The service ${service} of ${api}-v${version} declares ${part} ${method}, which needs ${needed}.`,
    );
  }
  return handlers[name](setting);
}

const handlers: Readonly<Record<keyof RestResource, (setting: RestSetting) => Handler>> = {
  fetch: (setting) => (event) =>
    andThen(setting.resource.fetch?.(idOf(setting, event), contextOf(setting, event)), (entity) =>
      found(setting, event, entity),
    ),

  fetchAll: (setting) => (event) => {
    const context = new PagedContext(event, setting);
    return andThen(setting.resource.fetchAll?.(context) ?? [], (entities) =>
      collect(setting, context, entities),
    );
  },

  create: (setting) => (event) =>
    andThen(setting.resource.create?.(event.body, contextOf(setting, event)), (entity) => {
      event.response.status = 201;
      const id = identifierOf(setting, entity);
      if (id !== undefined) event.response.fields.set('Location', setting.locate(event, id));
      return entity;
    }),

  update: (setting) => (event) =>
    andThen(
      setting.resource.update?.(idOf(setting, event), event.body, contextOf(setting, event)),
      (entity) => found(setting, event, entity),
    ),

  patch: (setting) => (event) =>
    // Validation has refused what is no object.
    andThen(
      setting.resource.patch?.(idOf(setting, event), event.body as object, contextOf(setting, event)),
      (entity) => found(setting, event, entity),
    ),

  delete: (setting) => (event) =>
    andThen(setting.resource.delete?.(idOf(setting, event), contextOf(setting, event)), (deleted) => {
      found(setting, event, deleted === false ? undefined : true);
      return new Response(204);
    }),
};

function contextOf({ api, version }: RestSetting, event: MvcEvent): EventContext {
  return new EventContext(event, api, version);
}

class PagedContext extends EventContext implements CollectionContext {
  readonly page: PageRequest;

  constructor(event: MvcEvent, { api, version, paging }: RestSetting) {
    super(event, api, version);
    this.page = pageOf(this.query, paging);
  }
}

function idOf({ definition }: RestSetting, event: MvcEvent): string {
  return event.parameters[definition.route_identifier_name] ?? '';
}

/** @throws Problem 404 when there is no such entity */
function found(setting: RestSetting, event: MvcEvent, entity: unknown): unknown {
  if (entity !== undefined && entity !== null) return entity;
  throw problem('entity_not_found', { service: setting.service, id: idOf(setting, event) });
}

function identifierOf({ definition }: RestSetting, entity: unknown): string | undefined {
  const name = definition.entity_identifier_name ?? definition.route_identifier_name;
  const id: unknown = typeof entity === 'object' && entity !== null ? Reflect.get(entity, name) : undefined;
  return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** A collection as it is shown: paged ones tell where in the whole they are. */
function collect(
  setting: RestSetting,
  context: PagedContext,
  entities: readonly unknown[] | Page<unknown>,
): MaybePromise<unknown> {
  const { definition, paging } = setting;
  const { event, page } = context;
  const { items, total } = 'items' in entities ? entities : pageFrom(entities, page);
  if (paging === undefined) return items;
  const pages = pageCount(total, page);
  event.response.fields.set('Link', linkField(event.request.path, event.request.query, page.page, pages));
  return {
    [definition.collection_name ?? 'items']: items,
    page: page.page,
    page_size: page.pageSize,
    page_count: pages,
    total_items: total,
  };
}

/** A page of a resource that returned everything. */
function pageFrom(entities: readonly unknown[], { offset, pageSize }: PageRequest): Page<unknown> {
  return { items: entities.slice(offset, offset + pageSize), total: entities.length };
}
