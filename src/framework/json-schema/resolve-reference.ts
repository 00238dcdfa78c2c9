import { parsePointer, memberAt } from '../json/json-pointer';
import { allSubschemas, isSchema, type SchemaNode } from './subschemas';

/**
 * Resolves a `$ref` within its document: `#`, a JSON Pointer (`#/$defs/Node`), or the `$id` of a schema inside (as TypeBox
 * writes recursive types). Undefined for everything outside the document.
 */
export function resolveReference(root: SchemaNode, reference: string): SchemaNode | undefined {
  if (reference === '#' || reference === root.$id) return root;
  const target = reference.startsWith('#/')
    ? memberAt(root, parsePointer(reference))
    : withId(root, reference);
  return isSchema(target) ? target : undefined;
}

/** Follows `$ref`, and merges its sibling keywords over the target; a circular reference resolves to nothing. */
export function dereference(root: SchemaNode, part: unknown): SchemaNode {
  let schema = isSchema(part) ? part : {};
  const seen = new Set<string>();
  for (;;) {
    const { $ref: reference, ...beside } = schema;
    if (typeof reference !== 'string') return schema;
    const target = seen.has(reference) ? undefined : resolveReference(root, reference);
    seen.add(reference);
    schema = Object.keys(beside).length === 0 ? (target ?? {}) : { ...target, ...beside };
  }
}

/** A reference to a definition, or into one. */
const DEFINITION = /^#\/\$defs\/([^/]+)/;

/** The direct references of a schema: definitions by name, and whether there are others. */
interface Direct {
  readonly names: ReadonlySet<string>;
  readonly others: boolean;
}

/**
 * Adds the definitions that a schema refers to, directly or not, as its `$defs`, each the same object: `#/$defs/…`
 * resolves from the root of the schema.
 * @param definitions by name; replace the schema's own `$defs`
 * @param most the most definitions to select: a schema that needs more gets the whole object, shared by all such schemas
 */
export function withDefinitions<S extends SchemaNode>(
  schema: S,
  definitions: SchemaNode,
  most = Infinity,
): S {
  const { $defs: _, ...bare } = schema;
  const reached = reachedDefinitions(bare, definitions, most);
  if (reached === undefined && schema.$defs === undefined) return schema;
  // Only `$defs` differs.
  return { ...bare, ...(reached === undefined ? {} : { $defs: reached }) } as unknown as S;
}

/** The definitions that a schema refers to, directly or not; all of them where it refers to one other than by name. */
function reachedDefinitions(
  schema: SchemaNode,
  definitions: SchemaNode,
  most: number,
): SchemaNode | undefined {
  const reached = new Map<string, unknown>();
  const parts: unknown[] = [schema];
  for (const part of parts) {
    if (reached.size > most) return definitions;
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
const looked = new WeakMap<SchemaNode, Direct>();

function directOf(schema: SchemaNode): Direct {
  const known = looked.get(schema);
  if (known !== undefined) return known;
  const names = new Set<string>();
  let others = false;
  for (const { $ref: reference } of allSubschemas(schema)) {
    if (typeof reference !== 'string' || reference === '#') continue;
    const [, name] = DEFINITION.exec(reference) ?? [];
    if (name === undefined) others = true;
    else names.add(parsePointer(`/${name}`)[0] ?? '');
  }
  const direct = { names, others };
  if (Object.isFrozen(schema)) looked.set(schema, direct);
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
