import { problem, Response, type MvcEvent, type Problem } from '../../../framework';
import { HypermediaEntity } from '../../content-negotiation';
import { Created } from './created';
import { isMatch, withoutTag } from '../conditional/precondition';
import { entityTag, formatEntityTag, revisionTags, type EntityTag } from '../conditional/revision';
import { formatId, identifierMembers, idOfEntity, isAddressable } from './identifier';
import type { EntityId } from '../definition/entity-id';
import { idOf, isAboutEntity, subjectOf, type RestServiceContext } from './rest-service-context';

export const CREATED = 201;

/** The status of a response that nothing has changed. */
const INITIAL = 200;

/** Responds with an entity and its `ETag`. @throws Problem 404 if there is none */
export function respondWithEntity(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  entity: unknown,
): unknown {
  if (entity === undefined || entity === null) throw notFound(serviceContext, event);
  setEntityTag(event, entityTagOf(serviceContext, event, entity));
  return entity;
}

/** Responds with an entity, or with 304 if the client has it (RFC 9110, 13.2.2). @throws Problem 404, 412 */
export function respondWithEntityIfModified(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  entity: unknown,
): unknown {
  if (entity === undefined || entity === null) throw notFound(serviceContext, event);
  const tag = entityTagOf(serviceContext, event, entity);
  // What responds by itself has its own fields.
  if (tag === undefined && entity instanceof Response) return entity;
  setEntityTag(event, tag);
  return notModified(serviceContext, event, tag) ?? entity;
}

/**
 * Responds with a new entity: `Location` (RFC 9110, 15.3.2) and `Content-Location` (8.7), unless it is not a 201, or the
 * service has no operations of entities.
 */
export function respondWithCreated(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  entity: unknown,
): unknown {
  // What responds by itself, or with a status of its own, has its own fields.
  if (entity instanceof Response || event.response.status !== CREATED) return entity;
  const locate = serviceContext.locate?.(event);
  const id = locate && identifierOf(serviceContext, entity);
  if (locate !== undefined && id !== undefined) {
    const path = locate(id);
    const { fields } = event.response;
    // The resource may have set others.
    for (const name of ['Location', 'Content-Location']) if (!fields.has(name)) fields.append(name, path);
  } else if (locate !== undefined && !isAboutEntity(serviceContext, event)) {
    warnAboutMissingIdentifier(serviceContext, entity);
  }
  if (entity !== undefined && entity !== null)
    setEntityTag(event, entityTagOf(serviceContext, event, entity));
  return entity;
}

function warnAboutMissingIdentifier(
  { api, version, service, definition, checks }: RestServiceContext,
  entity: unknown,
): void {
  const members = `"${identifierMembers(definition).join('" and "')}"`;
  const isMissing = idOfEntity(definition, contentOf(entity)) === undefined;
  const what = isMissing ? `without ${members}` : `with a ${members} that no URL can name`;
  checks.warnOnce(
    `${api}-v${version}/${service} collection POST`,
    `returns an entity ${what}, so its 201 response has no Location and clients cannot find the entity`,
  );
}

export function notFound(serviceContext: RestServiceContext, event: MvcEvent): Problem {
  const { service } = serviceContext;
  return problem('entity_not_found', { service, id: formatId(idOf(serviceContext, event)) });
}

/** Responds with a replaced or new entity. */
export function respondWithReplaced(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  result: unknown,
): unknown {
  if (!(result instanceof Created)) return respondWithEntity(serviceContext, event, result);
  event.response.status = CREATED;
  return respondWithCreated(serviceContext, event, result.entity);
}

/** Responds with 204, unless the operation has set another status. */
export function respondWithNoContent({ response }: MvcEvent): Response {
  if (response.status === INITIAL) response.status = 204;
  return response;
}

/** Returns the tag of an entity; undefined if the resource has no revisions, and for what responds by itself. */
export function entityTagOf(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  entity: unknown,
): EntityTag | undefined {
  const { resource } = serviceContext;
  if (resource.revision === undefined || entity instanceof Response) return undefined;
  return entityTag(resource.revision(contentOf(entity)), serviceContext.variantOf(event));
}

/** Sets the `ETag` header. */
export function setEntityTag({ response }: MvcEvent, tag: EntityTag | undefined): void {
  if (tag !== undefined) response.fields.set('ETag', formatEntityTag(tag));
}

/** Unwraps an entity to which its resource added links. */
function contentOf(entity: unknown): unknown {
  return entity instanceof HypermediaEntity ? entity.content : entity;
}

/**
 * Responds with 304 if the client has the current state.
 * @param tag undefined for a state without one, which only `*` matches (RFC 9110, 13.1.1 and 13.1.2)
 * @returns undefined if the state must be sent
 * @throws Problem 412 if `If-Match` names another state
 */
export function notModified(
  serviceContext: RestServiceContext,
  event: MvcEvent,
  tag: EntityTag | undefined,
): Response | undefined {
  const { request, response } = event;
  const match = tagsOf(request.header('if-match'));
  if (match !== undefined && !isMatch(match, { exists: true, tag })) {
    const what = subjectOf(serviceContext, event);
    throw tag === undefined ? withoutTag(what) : problem('changed_meanwhile', { what });
  }
  const noneMatch = tagsOf(request.header('if-none-match'));
  if (noneMatch === undefined || !includesTag(noneMatch, tag)) return undefined;
  response.status = 304;
  return response;
}

/** Compares weakly (RFC 9110, 13.1.2), within the same variant. */
function includesTag(tags: '*' | readonly EntityTag[], tag: EntityTag | undefined): boolean {
  if (tags === '*') return true;
  return tags.some(({ revision, variant }) => revision === tag?.revision && variant === tag.variant);
}

/** An invalid tag matches nothing, which is harmless for reads. */
function tagsOf(field: string | undefined): '*' | readonly EntityTag[] | undefined {
  return field === undefined ? undefined : (revisionTags(field) ?? []);
}

/** Returns the identifier of a returned entity; undefined if it has none, or one that no URL can name. */
export function identifierOf({ definition }: RestServiceContext, returned: unknown): EntityId | undefined {
  const id = idOfEntity(definition, contentOf(returned));
  return id === undefined || isAddressable(id) ? id : undefined;
}
