import { problem, type MaybePromise, type MvcEvent } from '../../../framework';
import type { OperationDefinition } from '../definition/operation-definition';
import { WritePrecondition, type CurrentState } from './precondition';
import { entityTagOf, notFound } from '../rest/rest-responses';
import {
  RestHandlerContext,
  idOf,
  subjectOf,
  type RestHandler,
  type RestServiceContext,
} from '../rest/rest-service-context';
import { entityTag } from './revision';
import { thenUnlessTimedOut } from '../timeout';

const PARTIAL = 'PUT replaces all: send it without Content-Range, or send the change with PATCH.';

/**
 * Wraps an operation that changes something: evaluates the request's preconditions (RFC 9110, 13) as the last step
 * before the resource is called. Requests without preconditions cost two header lookups.
 */
export function withPreconditions(
  serviceContext: RestServiceContext,
  part: 'collection' | 'entity',
  method: string,
  { precondition }: OperationDefinition,
  handler: RestHandler,
): RestHandler {
  const current = part === 'entity' ? currentEntity : currentCollection;
  const isPut = method === 'PUT';
  const isChecked = part === 'entity' && serviceContext.resource.checksPreconditions === true;
  return (event) => {
    const { request } = event;
    // What is sent would replace all of it (RFC 9110, 14.5).
    if (isPut && request.header('content-range') !== undefined)
      throw problem('bad_request', { reason: PARTIAL });
    const match = request.header('if-match');
    const noneMatch = request.header('if-none-match');
    // Alone, `If-None-Match` identifies a state only when creating.
    if (precondition === 'required' && match === undefined && !(isPut && noneMatch === '*')) {
      throw problem('precondition_required', { what: subjectOf(serviceContext, event) });
    }
    if (isChecked || (match === undefined && noneMatch === undefined)) return handler(event);
    const expected = new WritePrecondition(request, subjectOf(serviceContext, event));
    return current(serviceContext, event, (state) => {
      // Preconditions are ignored if the response would be an error without them (13.2.1).
      if (!state.exists && method !== 'PUT') throw notFound(serviceContext, event);
      expected.assertState(state);
      return handler(event);
    });
  };
}

/** Continues with the current state; a problem that the resource returns instead is the response. */
type Current = (
  serviceContext: RestServiceContext,
  event: MvcEvent,
  next: (state: CurrentState) => unknown,
) => MaybePromise<unknown>;

const currentEntity: Current = (serviceContext, event, next) => {
  const { resource } = serviceContext;
  // Without `fetch` there is no tag to compare, so no tag matches.
  if (resource.fetch === undefined) return next({ exists: true, tag: undefined });
  const found = resource.fetch(idOf(serviceContext, event), new RestHandlerContext(event, serviceContext));
  return thenUnlessTimedOut(event, found, (entity) => {
    const exists = entity !== undefined && entity !== null;
    return next({ exists, tag: exists ? entityTagOf(serviceContext, event, entity) : undefined });
  });
};

const currentCollection: Current = (serviceContext, event, next) => {
  const context = new RestHandlerContext(event, serviceContext);
  return thenUnlessTimedOut(event, serviceContext.resource.collectionRevision?.(context), (revision) =>
    next({ exists: true, tag: entityTag(revision, '') }),
  );
};
