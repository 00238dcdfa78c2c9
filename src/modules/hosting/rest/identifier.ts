import type { MvcEvent } from '../../../framework';
import { toPlain } from '../../content-negotiation';
import type { RestServiceDefinition } from '../definition/definition';
import type { EntityId } from '../definition/entity-id';

type Identifiers = Pick<RestServiceDefinition, 'route_identifier_name' | 'entity_identifier_name'>;

/** Returns the names of the route parameters that identify an entity. */
export function routeIdentifiers({ route_identifier_name: names }: Identifiers): readonly string[] {
  return typeof names === 'string' ? [names] : names;
}

/** Returns the names of the members that hold the identifier, in the order of the route parameters. */
export function identifierMembers(definition: Identifiers): readonly string[] {
  const names = definition.entity_identifier_name ?? definition.route_identifier_name;
  return typeof names === 'string' ? [names] : names;
}

/**
 * Returns the identifier in the route; empty for collections.
 * @param names of the route parameters that identify an entity
 */
export function requestedId(names: string | readonly string[], { parameters }: MvcEvent): EntityId {
  if (typeof names === 'string') return parameters[names] ?? '';
  return Object.fromEntries(names.map((name) => [name, parameters[name] ?? '']));
}

/** Returns the identifier of an entity; undefined if it has none. */
export function idOfEntity(definition: Identifiers, entity: unknown): EntityId | undefined {
  if (typeof entity !== 'object' || entity === null) return undefined;
  const { route_identifier_name: names } = definition;
  if (typeof names === 'string') return textOf(entity, identifierMembers(definition)[0] ?? names);
  const members = identifierMembers(definition);
  const id: Record<string, string> = {};
  for (const [at, name] of names.entries()) {
    const text = textOf(entity, members[at] ?? name);
    if (text === undefined) return undefined;
    id[name] = text;
  }
  return id;
}

function textOf(entity: object, member: string): string | undefined {
  const found: unknown = Reflect.get(entity, member);
  // The response has the result of `toJSON`, for example of an ObjectId.
  const value = typeof found === 'object' ? toPlain(found) : found;
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : undefined;
}

/**
 * What cannot be a segment of a URL's path: no text, dots that clients remove (RFC 3986, 5.2.4), and half a surrogate
 * pair, which UTF-8 cannot encode.
 */
const UNADDRESSABLE = /^\.{0,2}$|\p{Surrogate}/u;

/** Whether a URL can name an entity with an identifier. */
export function isAddressable(id: EntityId): boolean {
  return typeof id === 'string'
    ? !UNADDRESSABLE.test(id)
    : Object.values(id).every((text) => !UNADDRESSABLE.test(text));
}

/** Whether the path of a request has a segment that clients remove from links (RFC 3986, 5.2.4). */
export function hasDotSegment({ parameters }: MvcEvent): boolean {
  for (const name in parameters) if (parameters[name] === '.' || parameters[name] === '..') return true;
  return false;
}

/** Formats an identifier for messages: `5` or `5/2`. */
export function formatId(id: EntityId): string {
  return typeof id === 'string' ? id : Object.values(id).join('/');
}
