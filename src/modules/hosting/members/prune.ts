import { types } from 'node:util';
import { hasToJson, isObject, Problem, Response, ViewModel } from '../../../framework';
import { HypermediaCollection, HypermediaEntity, toPlain } from '../../content-negotiation';
import { isHidden, shapeByPattern, type ObjectShape, type Shape } from '../../content-validation';

/** Maximum nesting of a response; deeper values are circular, or cannot be serialized anyway. */
const MAX_DEPTH = 2_000;

/** Members of HAL, which schemas do not declare. */
const LINKS = '_links';
export const EMBEDDED = '_embedded';

/**
 * Removes the members of a value that its shape does not include: returns the same value if nothing is removed,
 * otherwise a copy of plain objects and arrays.
 * @throws TypeError for a value that is nested too deeply
 */
export function prune(value: unknown, shape: Shape, depth = 0): unknown {
  if (shape === 'any' || typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH)
    throw new TypeError('The response cannot be written as JSON: it is nested too deeply, or circular.');
  // `JSON.stringify` calls it wherever it is: inherited, hidden, or of a list.
  if (hasToJson(value)) return pruneInstance(value, shape, depth);
  if (Array.isArray(value)) return pruneList(value, shape, depth);
  if (Object.getPrototypeOf(value) === Object.prototype) return pruneObject(value, shape, depth);
  return pruneInstance(value, shape, depth);
}

function pruneList(list: readonly unknown[], shape: ObjectShape, depth: number): unknown {
  // A list in place of one declared object is treated as several of them.
  const { items = shape, prefix } = shape;
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const item = list[at];
    const pruned = prune(item, prefix[at] ?? items, depth + 1);
    if (copy !== undefined) copy.push(pruned);
    else if (pruned !== item) {
      copy = list.slice(0, at);
      copy.push(pruned);
    }
  }
  return copy ?? list;
}

function pruneObject(value: object, shape: ObjectShape, depth: number): unknown {
  if (shape.isList) return prune(value, shape.items ?? 'any', depth + 1);
  const members = value as Readonly<Record<string, unknown>>;
  const { names, shapes } = shape;
  let copy: Record<string, unknown> | undefined;
  let at = 0;
  for (const name in members) {
    const member = members[name];
    let pruned = member;
    // Most objects have their members in declaration order: looking up each would take twice as long.
    const isNext = names[at] === name;
    const inner = isNext ? shapes[at] : undefined;
    if (isNext) at++;
    if (inner === undefined) {
      if (!Object.hasOwn(members, name)) continue;
      pruned = pruneMember(name, member, shape, depth);
      if (shape.members.has(name)) at = names.indexOf(name) + 1;
    } else if (inner !== 'any' && typeof member === 'object' && member !== null)
      pruned = prune(member, inner, depth + 1);
    if (copy !== undefined) {
      if (pruned !== undefined) set(copy, name, pruned);
    } else if (pruned !== member) {
      copy = membersBefore(members, name);
      if (pruned !== undefined) set(copy, name, pruned);
    }
  }
  return copy ?? value;
}

/** Returns the sent part of a member; undefined for a member that is not sent. */
function pruneMember(name: string, member: unknown, shape: ObjectShape, depth: number): unknown {
  const declared = shape.members.get(name);
  if (isHidden(name, shape)) return undefined;
  const inner = declared ?? undeclaredShape(name, member, shape);
  if (inner === undefined) return isJsonRepresentable(member) ? undefined : member;
  if (name === EMBEDDED && declared === undefined) return pruneRelations(member, shape, depth);
  return prune(member, inner, depth + 1);
}

/** Returns the shape of a member that is not declared by name; undefined if it is not allowed. */
export function undeclaredShape(name: string, member: unknown, shape: ObjectShape): Shape | undefined {
  const matching = shapeByPattern(name, shape);
  if (matching !== undefined) return matching;
  const isHalMember = (name === LINKS || name === EMBEDDED) && typeof member === 'object';
  return shape.others ?? (isHalMember ? 'any' : undefined);
}

/** Whether JSON can represent a member; others are omitted from objects anyway. */
export function isJsonRepresentable(member: unknown): boolean {
  return member !== undefined && typeof member !== 'function' && typeof member !== 'symbol';
}

/** Embedded entities have the shape of the member of that name; other relations are not filtered. */
function pruneRelations(embedded: unknown, { members, hidden }: ObjectShape, depth: number): unknown {
  if (!isObject(embedded)) return embedded;
  let isUnchanged = true;
  const copy: Record<string, unknown> = {};
  for (const [relation, content] of Object.entries(embedded)) {
    const pruned = hidden.has(relation)
      ? undefined
      : prune(content, members.get(relation) ?? 'any', depth + 1);
    if (pruned !== content) isUnchanged = false;
    if (pruned !== undefined) set(copy, relation, pruned);
  }
  return isUnchanged ? embedded : copy;
}

function pruneInstance(value: object, shape: ObjectShape, depth: number): unknown {
  if (value instanceof HypermediaEntity) {
    const content = prune(value.content, shape, depth + 1);
    const embedded = pruneRelations(value.embedded, shape, depth);
    return content === value.content && embedded === value.embedded
      ? value
      : new HypermediaEntity(content, { links: value.links, embedded: { ...(embedded as object) } });
  }
  if (value instanceof HypermediaCollection) return pruneCollection(value, shape, depth);
  if (value instanceof Response || value instanceof Problem || value instanceof ViewModel) return value;
  // A date is serialized as text.
  if (value instanceof Date || isBoxed(value)) return value;
  const plain = toPlain(value);
  if (plain !== value) return prune(plain, shape, depth + 1);
  // What toJSON returns itself for has its own members.
  if (Array.isArray(value)) return pruneList([...(value as readonly unknown[])], shape, depth);
  return pruneObject('toJSON' in value ? { ...value, toJSON: undefined } : value, shape, depth);
}

/** Whether `JSON.stringify` writes an object as the primitive value that it has (ECMAScript, 25.5.2.2). */
export function isBoxed(value: object): boolean {
  return types.isBoxedPrimitive(value) && !hasToJson(value);
}

function pruneCollection(collection: HypermediaCollection, shape: ObjectShape, depth: number): unknown {
  const { items, name, links, paging } = collection;
  const pruned = prune(items, itemsShape(collection, shape), depth + 1);
  if (pruned === items || !Array.isArray(pruned)) return collection;
  return new HypermediaCollection<unknown>(pruned, {
    name,
    links,
    ...(paging === undefined ? {} : { paging }),
  });
}

/**
 * Returns the shape of the items of a collection, which is a list, or the member of a page. Items of which the schema
 * says nothing are several of what it declares.
 */
export function itemsShape({ items, name, paging }: HypermediaCollection, shape: ObjectShape): Shape {
  if (shape.isList || (paging === undefined && shape.items !== undefined)) return shape;
  const others = paging === undefined ? undefined : undeclaredShape(name, items, shape);
  return shape.members.get(name) ?? others ?? shape;
}

/** Copies the members that precede one. */
function membersBefore(members: Readonly<Record<string, unknown>>, end: string): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name in members) {
    if (name === end) break;
    if (Object.hasOwn(members, name)) set(copy, name, members[name]);
  }
  return copy;
}

/** Assigning `__proto__` would change the prototype: defines it as a member. */
function set(copy: Record<string, unknown>, name: string, value: unknown): void {
  if (name === '__proto__')
    Object.defineProperty(copy, name, { value, enumerable: true, writable: true, configurable: true });
  else copy[name] = value;
}
