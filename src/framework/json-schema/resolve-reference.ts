import { ConfigurationError } from '../errors/configuration-error';
import { printable } from '../text/printable';
import { objectOf } from '../values/config-object';
import { formatFragment, memberAt, parseFragment } from '../json/json-pointer';
import { merged } from './merged-schema';
import { allSubschemas, inlineReferences, isSchema, mapDiscriminator, type SchemaNode } from './subschemas';

/**
 * Resolves a `$ref` within its document: `#`, a JSON Pointer (`#/$defs/Node`), or the `$id` of a nested schema (as
 * TypeBox generates for recursive types). Returns undefined for everything outside the document.
 */
export function resolveReference(root: SchemaNode, reference: string): SchemaNode | undefined {
  if (reference === '#' || reference === root.$id) return root;
  const target = reference.startsWith('#/')
    ? memberAt(root, parseFragment(reference))
    : withId(root, reference);
  return isSchema(target) ? target : undefined;
}

/** References in a row that apply to one value: validators would overflow the stack with some thousands. */
const MAX_IN_A_ROW = 1_000;

/**
 * Finds references that refer to themselves without descending into a value: validation would never end. Recursive
 * structures, such as trees, are allowed.
 * @param root resolves references
 * @param references where to begin
 * @param where location of the root, for messages
 * @returns the references of the circle, with the first one again at the end
 * @throws ConfigurationError for a chain of references that is too long
 */
export function findCircularReference(
  root: SchemaNode,
  references: Iterable<string>,
  where: string,
): readonly string[] | undefined {
  /** How many references in a row begin with a reference. */
  const checked = new Map<string, number>();
  const assertFollowable = (count: number, first: string): void => {
    if (count < MAX_IN_A_ROW) return;
    throw new ConfigurationError(
      `${where}: the $ref ${printable(JSON.stringify(first))} is the first of more than ${MAX_IN_A_ROW} in a row. Shorten the chain.`,
    );
  };
  const follow = (reference: string, path: readonly string[]): readonly string[] | undefined => {
    if (checked.has(reference)) return undefined;
    assertFollowable(path.length, path[0] ?? reference);
    if (path.includes(reference)) return [...path.slice(path.indexOf(reference)), reference];
    let following = 0;
    for (const next of inlineReferences(resolveReference(root, reference))) {
      const circle = follow(next, [...path, reference]);
      if (circle !== undefined) return circle;
      following = Math.max(following, checked.get(next) ?? 0);
    }
    assertFollowable(following, reference);
    checked.set(reference, following + 1);
    return undefined;
  };
  for (const reference of references) {
    const circle = follow(reference, []);
    if (circle !== undefined) return circle;
  }
  return undefined;
}

/**
 * Follows `$ref`, and merges its sibling keywords and the target; a circular reference resolves to an empty schema.
 */
export function dereference(root: SchemaNode, part: unknown): SchemaNode {
  let schema = objectOf(part);
  if (typeof schema.$ref !== 'string') return schema;
  const seen = new Set<string>();
  for (;;) {
    if (typeof schema.$ref !== 'string') return schema;
    const { $ref: reference, ...siblings } = schema;
    const target = seen.has(reference) ? undefined : resolveReference(root, reference);
    seen.add(reference);
    schema = Object.keys(siblings).length === 0 ? (target ?? {}) : merged(target ?? {}, siblings);
  }
}

/** Returns the name of the definition that a reference is to, with the keys below it; empty for other references. */
export function definitionPath(reference: string): readonly string[] {
  if (!reference.startsWith('#/')) return [];
  const [keyword, ...path] = parseFragment(reference);
  return keyword === '$defs' ? path : [];
}

/** Returns a reference to a definition. */
export function definitionReference(name: string): string {
  return formatFragment(['$defs', name]);
}

/** The direct references of a schema: definitions by name, and whether there are others. */
interface Direct {
  readonly names: ReadonlySet<string>;
  readonly others: boolean;
}

/** Schemas by name, which refer to each other as `#/$defs/…`. */
export type Definitions = Readonly<Record<string, SchemaNode>>;

/**
 * Adds the definitions that a schema refers to, directly or indirectly, as its `$defs`, without copying them.
 * @param definitions by name; they replace the schema's own `$defs`
 * @param max maximum number of selected definitions: a schema that needs more gets the whole object, which such schemas
 *   share
 */
export function withDefinitions<S extends SchemaNode>(schema: S, definitions: SchemaNode, max = Infinity): S {
  const { $defs: _, ...bare } = schema;
  const reached = reachedDefinitions(bare, definitions, max);
  if (reached === undefined && schema.$defs === undefined) return schema;
  // Only `$defs` differs.
  return { ...bare, ...(reached === undefined ? {} : { $defs: reached }) } as unknown as S;
}

/**
 * Returns the definitions that a schema refers to, directly or indirectly; all of them if a reference is not by
 * name.
 */
function reachedDefinitions(
  schema: SchemaNode,
  definitions: SchemaNode,
  max: number,
): SchemaNode | undefined {
  const reached = new Map<string, unknown>();
  const parts: unknown[] = [schema];
  for (const part of parts) {
    if (reached.size > max) return definitions;
    const { names, others } = isSchema(part) ? directOf(part) : NOTHING;
    if (others) return definitions;
    for (const name of names) {
      if (reached.has(name) || !Object.hasOwn(definitions, name)) continue;
      reached.set(name, definitions[name]);
      // The loop visits appended items, too.
      parts.push(definitions[name]);
    }
  }
  return reached.size === 0 ? undefined : Object.fromEntries(reached);
}

const NOTHING: Direct = { names: new Set(), others: false };

/** Memoized: definitions are shared by many schemas. Weak: entries live as long as their schema. */
const directReferences = new WeakMap<SchemaNode, Direct>();

function directOf(schema: SchemaNode): Direct {
  const known = directReferences.get(schema);
  if (known !== undefined) return known;
  const names = new Set<string>();
  let others = false;
  for (const one of allSubschemas(schema)) {
    // Other entries of a mapping are names, which refer to nothing here.
    mapDiscriminator(one, (to) => {
      const [name] = definitionPath(to);
      if (name !== undefined) names.add(name);
    });
    for (const reference of [one.$ref, one.$dynamicRef]) {
      if (typeof reference !== 'string' || reference === '#') continue;
      const [name] = definitionPath(reference);
      if (name === undefined) others = true;
      else names.add(name);
    }
  }
  const direct = { names, others };
  if (Object.isFrozen(schema)) directReferences.set(schema, direct);
  return direct;
}

function withId(value: unknown, id: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!Array.isArray(value) && '$id' in value && value.$id === id) return value;
  for (const member of Object.values(value) as unknown[]) {
    const found = withId(member, id);
    if (found !== undefined) return found;
  }
  return undefined;
}
