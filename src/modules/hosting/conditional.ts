import { andThen, problem, Problem, type MaybePromise, type MvcEvent } from '../../framework';
import type { OperationDefinition } from './operation-definition';
import { WritePrecondition, type CurrentState } from './precondition';
import { entityTagOf, notFound } from './rest-answers';
import { RestContext, idOf, subjectOf, type RestHandler, type RestSetting } from './rest-setting';
import { entityTag } from './revision';
import { inTimeThen } from './timeout';

/**
 * An operation that changes something, done when its request's preconditions hold (RFC 9110, 13): the last thing
 * that is checked before the resource is called. Requests without preconditions cost two looks at their fields.
 */
export function onCondition(
  setting: RestSetting,
  part: 'collection' | 'entity',
  method: string,
  { precondition }: OperationDefinition,
  act: RestHandler,
): RestHandler {
  const current = part === 'entity' ? currentEntity : currentCollection;
  return (event) => {
    const { request } = event;
    const match = request.header('if-match');
    const noneMatch = request.header('if-none-match');
    // `If-None-Match` alone says which state is meant only to one who creates.
    if (precondition === 'required' && match === undefined && (method !== 'PUT' || noneMatch === undefined)) {
      throw problem('precondition_required', { what: subjectOf(setting, event) });
    }
    if (match === undefined && noneMatch === undefined) return act(event);
    const wanted = new WritePrecondition(request, subjectOf(setting, event));
    return inTimeThen(event, current(setting, event), (state) => {
      // Where the answer were an error anyway, preconditions are not looked at (13.2.1).
      if (!state.exists && method !== 'PUT') throw notFound(setting, event);
      wanted.assertState(state);
      return act(event);
    });
  };
}

function currentEntity(setting: RestSetting, event: MvcEvent): MaybePromise<CurrentState> {
  const { resource } = setting;
  // What cannot be seen cannot be compared: then no tag is the right one.
  if (resource.fetch === undefined) return { exists: true, tag: undefined };
  return andThen(resource.fetch(idOf(setting, event), new RestContext(event, setting)), (entity) => {
    if (entity instanceof Problem) throw entity;
    const exists = entity !== undefined && entity !== null;
    return { exists, tag: exists ? entityTagOf(setting, event, entity) : undefined };
  });
}

function currentCollection(setting: RestSetting, event: MvcEvent): MaybePromise<CurrentState> {
  const revision = setting.resource.collectionRevision?.(new RestContext(event, setting));
  return andThen(revision, (found) => ({ exists: true, tag: entityTag(found, '') }));
}
