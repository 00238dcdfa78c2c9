import { keysAt, memberAt } from './json-pointer';
import { allSubschemas, isSchema, type SchemaNode } from './subschemas';

/**
 * What a `$ref` points to within its own document: `#`, a JSON Pointer (`#/$defs/Node`), or the `$id` of a
 * schema inside (as TypeBox writes recursive types). Undefined for everything outside the document.
 */
export function resolveReference(root: SchemaNode, reference: string): SchemaNode | undefined {
  if (reference === '#' || reference === root.$id) return root;
  const target = reference.startsWith('#/') ? memberAt(root, keysAt(reference)) : withId(root, reference);
  return isSchema(target) ? target : undefined;
}

/** A schema, or the one that it refers to with what it says beside its `$ref`; none where that leads in a circle. */
export function resolvedSchema(root: SchemaNode, part: unknown): SchemaNode {
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

/** The name in a reference to a definition, or to something in it. */
const DEFINITION = /^#\/\$defs\/([^/]+)/;

/** What one schema refers to by itself: definitions by name, and whether there is anything else. */
interface Direct {
  readonly names: ReadonlySet<string>;
  readonly others: boolean;
}

/**
 * A schema with those of some definitions that it leads to, each the same object: what `#/$defs/…` means has to stand
 * at the root of the schema that says it.
 * @param definitions by name; `$defs` of the schema itself count for nothing
 * @param most that are picked out: a schema that leads to more has all of them, which is one object for all such schemas
 */
export function withDefinitions<S extends SchemaNode>(
  schema: S,
  definitions: SchemaNode,
  most = Infinity,
): S {
  const { $defs: _, ...bare } = schema;
  const reached = reachedDefinitions(bare, definitions, most);
  if (reached === undefined && schema.$defs === undefined) return schema;
  // The same but for what only holds definitions.
  return { ...bare, ...(reached === undefined ? {} : { $defs: reached }) } as unknown as S;
}

/** The definitions that a schema leads to; all of them where it refers to one otherwise than by its name. */
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
      // A list that grows while it is walked: each is visited once.
      parts.push(definitions[name]);
    }
  }
  return reached.size === 0 ? undefined : Object.fromEntries(reached);
}

const NOTHING: Direct = { names: new Set(), others: false };

/** Definitions are shared by many schemas, and are looked through once. */
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
    else names.add(keysAt(`/${name}`)[0] ?? '');
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
