import { problem, StartError, type MvcEvent } from '../../framework';
import { onCondition } from './conditional';
import type { OperationDefinition } from './operation-definition';
import { changed, collect } from './collect';
import { resourceMethods, type EntityPatch } from './resource';
import { gone, notFound, shown, shownNew, shownOnCondition, shownPut } from './rest-answers';
import {
  identifierNameOf,
  idOf,
  PagedContext,
  PatchedContext,
  RestContext,
  subjectOf,
  type RestHandler,
  type RestSetting,
} from './rest-setting';
import { inTimeThen } from './timeout';

type Part = 'collection' | 'entity';
type ResourceMethod = {
  [P in Part]: (typeof resourceMethods)[P][keyof (typeof resourceMethods)[P]];
}[Part];

/**
 * The handler of one operation.
 * @throws StartError when the resource lacks a method that the operation needs
 */
export function restHandler(
  setting: RestSetting,
  part: Part,
  method: string,
  operation: OperationDefinition,
): RestHandler {
  const { service, resource, api, version } = setting;
  const table: Readonly<Record<string, ResourceMethod>> = resourceMethods[part];
  const name = table[method];
  const declared = `The service ${service} of ${api}-v${version} declares ${part} ${method}`;
  if (name === undefined || typeof resource[name] !== 'function') {
    const needed =
      name === undefined ? `one of ${Object.keys(table).join(', ')}` : `a method ${name}() of the resource`;
    throw new StartError(`${declared}, which needs ${needed}.`);
  }
  // Configuration has the same keys for all operations.
  if (Reflect.get(operation, 'status') !== undefined) {
    throw new StartError(
      `${declared} with a status. That of a REST operation follows from its method, and only procedures have one of their own: take "status" away here.`,
    );
  }
  const handler = handlers[name](setting);
  if (method === 'GET') return handler;
  for (const needed of neededForConditions(part, operation)) {
    if (typeof resource[needed] === 'function') continue;
    throw new StartError(
      `${declared} with precondition "required", which needs a method ${needed}() of the resource.`,
    );
  }
  return onCondition(setting, part, method, operation, handler);
}

function neededForConditions(part: Part, { precondition }: OperationDefinition) {
  if (precondition === undefined) return [];
  return part === 'entity' ? (['fetch', 'revision'] as const) : (['collectionRevision'] as const);
}

const handlers: Readonly<Record<ResourceMethod, (setting: RestSetting) => RestHandler>> = {
  fetch: (setting) => (event) =>
    inTimeThen(
      event,
      setting.resource.fetch?.(idOf(setting, event), new RestContext(event, setting)),
      (entity) => shownOnCondition(setting, event, entity),
    ),

  fetchAll: (setting) => (event) => collect(setting, new PagedContext(event, setting)),

  create: (setting) => (event) =>
    inTimeThen(event, setting.resource.create?.(event.body, new RestContext(event, setting)), (entity) =>
      shownNew(setting, event, entity),
    ),

  update: (setting) => (event) =>
    inTimeThen(
      event,
      setting.resource.update?.(idOf(setting, event), event.body, new RestContext(event, setting)),
      (result) => shownPut(setting, event, result),
    ),

  patch: (setting) => (event) =>
    inTimeThen(
      event,
      setting.resource.patch?.(idOf(setting, event), event.body, new PatchedContext(event, setting)),
      (entity) => shown(setting, event, entity),
    ),

  delete: (setting) => (event) =>
    inTimeThen(
      event,
      setting.resource.delete?.(idOf(setting, event), new RestContext(event, setting)),
      (deleted) => (deleted === false ? notDeleted(setting, event) : gone(event)),
    ),

  replaceList: (setting) => (event) =>
    changed(setting, event, setting.resource.replaceList?.(listOf(event), new RestContext(event, setting))),

  patchList: (setting) => (event) => {
    const patches = patchesOf(setting, event);
    const context = new PatchedContext(event, setting, patches);
    return changed(setting, event, setting.resource.patchList?.(patches, context));
  },

  deleteList: (setting) => (event) =>
    inTimeThen(event, setting.resource.deleteList?.(new RestContext(event, setting)), (deleted) => {
      if (deleted === false) throw problem('not_deleted', { what: subjectOf(setting, event) });
      return gone(event);
    }),
};

/** An entity that is not gone is either not there, or still there. @throws Problem 404 or 422 */
function notDeleted(setting: RestSetting, event: MvcEvent): unknown {
  const { resource } = setting;
  const found = resource.fetch?.(idOf(setting, event), new RestContext(event, setting));
  return inTimeThen(event, found, (entity) => {
    if (entity === undefined || entity === null) throw notFound(setting, event);
    throw problem('not_deleted', { what: subjectOf(setting, event) });
  });
}

/** Validation has refused what is no list. */
function listOf({ body }: MvcEvent): readonly unknown[] {
  return Array.isArray(body) ? body : [];
}

/** Validation has refused what has no identifier, or nothing beside it. */
function patchesOf({ definition }: RestSetting, event: MvcEvent): readonly EntityPatch<unknown>[] {
  const name = identifierNameOf(definition);
  return listOf(event).map((item) => {
    const { [name]: id, ...patch } = { ...(item as Record<string, unknown>) };
    return { id: String(id), patch };
  });
}
