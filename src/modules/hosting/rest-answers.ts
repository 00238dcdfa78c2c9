import { problem, type MvcEvent, type Problem, type Response } from '../../framework';
import { HypermediaEntity } from '../content-negotiation';
import { Created } from './created';
import { isMatch } from './precondition';
import { entityTag, formatEntityTag, revisionTags, type EntityTag } from './revision';
import { identifierIn, identifierNameOf, subjectOf, type RestSetting } from './rest-setting';

/**
 * An entity as the answer, with its tag.
 * @throws Problem 404 when there is no such entity
 */
export function shown(setting: RestSetting, event: MvcEvent, entity: unknown): unknown {
  if (entity === undefined || entity === null) throw notFound(setting, event);
  sendTag(event, entityTagOf(setting, event, entity));
  return entity;
}

/** The same for what was asked for: not again for those who have it (RFC 9110, 13.2.2). @throws Problem 404, 412 */
export function shownOnCondition(setting: RestSetting, event: MvcEvent, entity: unknown): unknown {
  if (entity === undefined || entity === null) throw notFound(setting, event);
  const tag = entityTagOf(setting, event, entity);
  if (tag === undefined) return entity;
  sendTag(event, tag);
  return unchanged(setting, event, tag) ?? entity;
}

/** An entity that was made: 201, where it is (RFC 9110, 15.3.2), and that this is what is shown (8.7). */
export function shownNew(setting: RestSetting, event: MvcEvent, entity: unknown): unknown {
  event.response.status = 201;
  const id = identifierOf(setting, entity);
  if (id !== undefined) {
    const place = setting.locate(event)(id);
    event.response.fields.set('Location', place);
    event.response.fields.set('Content-Location', place);
  } else if (event.parameters[setting.definition.route_identifier_name] === undefined) {
    adviseIdentifier(setting);
  }
  if (entity !== undefined && entity !== null) sendTag(event, entityTagOf(setting, event, entity));
  return entity;
}

function adviseIdentifier({ api, version, service, definition, checks }: RestSetting): void {
  if (Object.keys(definition.entity ?? {}).length === 0) return;
  checks.advise(
    `${api}-v${version}/${service} collection POST`,
    `returns an entity without "${identifierNameOf(definition)}", so that its 201 has no Location: no client learns where the entity is`,
  );
}

export function notFound({ service, definition }: RestSetting, event: MvcEvent): Problem {
  return problem('entity_not_found', {
    service,
    id: event.parameters[definition.route_identifier_name] ?? '',
  });
}

/** An entity that was replaced, or made where it was not. */
export function shownPut(setting: RestSetting, event: MvcEvent, result: unknown): unknown {
  return result instanceof Created ? shownNew(setting, event, result.entity) : shown(setting, event, result);
}

/** The answer without content. */
export function gone(event: MvcEvent): Response {
  event.response.status = 204;
  return event.response;
}

/** The tag of an entity that a resource returned; undefined where it gives no revisions. */
export function entityTagOf(setting: RestSetting, event: MvcEvent, entity: unknown): EntityTag | undefined {
  const { resource } = setting;
  if (resource.revision === undefined) return undefined;
  return entityTag(resource.revision(contentOf(entity)), setting.variantOf(event));
}

/** Sets `ETag`. */
export function sendTag({ response }: MvcEvent, tag: EntityTag | undefined): void {
  if (tag !== undefined) response.fields.set('ETag', formatEntityTag(tag));
}

/** What a resource knows, without the links that it may have given it. */
function contentOf(entity: unknown): unknown {
  return entity instanceof HypermediaEntity ? entity.content : entity;
}

/**
 * The answer to who has this state already.
 * @returns undefined when it has to be sent
 * @throws Problem 412 when `If-Match` names another state
 */
export function unchanged(setting: RestSetting, event: MvcEvent, tag: EntityTag): Response | undefined {
  const { request, response } = event;
  const match = tagsOf(request.header('if-match'));
  if (match !== undefined && !isMatch(match, { exists: true, tag })) {
    throw problem('changed_meanwhile', { what: subjectOf(setting, event) });
  }
  const noneMatch = tagsOf(request.header('if-none-match'));
  if (noneMatch === undefined || !isSame(noneMatch, tag)) return undefined;
  response.status = 304;
  if (setting.varies) response.fields.addToList('Vary', 'Accept');
  return response;
}

/** The comparison is weak (RFC 9110, 13.1.2), and is about this very representation. */
function isSame(tags: '*' | readonly EntityTag[], tag: EntityTag): boolean {
  if (tags === '*') return true;
  return tags.some(({ revision, variant }) => revision === tag.revision && variant === tag.variant);
}

/** What is no tag cannot be the one there is: to read anyway does no harm. */
function tagsOf(field: string | undefined): '*' | readonly EntityTag[] | undefined {
  return field === undefined ? undefined : (revisionTags(field) ?? []);
}

/** @returns undefined for what has none */
export function identifierOf({ definition }: RestSetting, returned: unknown): string | undefined {
  return identifierIn(definition, contentOf(returned));
}
