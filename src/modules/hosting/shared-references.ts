import {
  allSubschemas,
  keysAt,
  mapDiscriminator,
  mapSubschemas,
  nearest,
  resolveReference,
  StartError,
  type SchemaNode,
} from '../../framework';

/** Schemas by name. */
export type Definitions = Readonly<Record<string, SchemaNode>>;

/** A reference to a schema that the operations of a version share, or to something in it. */
const SHARED = /^#\/schemas\/([^/]+)(?:\/.*)?$/;

/** A pointer into a definition. */
const INTO = /^#\/\$defs\/([^/]+)\//;

/** Keywords that say nothing of what values are allowed, so that they may stand among those of what is referred to. */
const ANNOTATIONS: readonly string[] = [
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  'readOnly',
  'writeOnly',
  '$comment',
];

export function isAnnotation(keyword: string): boolean {
  return ANNOTATIONS.includes(keyword);
}

export function refersToShared(schema: SchemaNode): boolean {
  return allSubschemas(schema).some(({ $ref: one }) => typeof one === 'string' && SHARED.test(one));
}

/** As its author wrote it. */
export function asDeclared(reference: string): string {
  return reference.replace('#/$defs/', '#/schemas/');
}

/**
 * A schema with its references to shared ones (`#/schemas/Money`) as they are from the root of a schema that has these as
 * its `$defs`.
 * @param known the names of those that are shared
 * @param where names the schema, for messages
 * @param relocate what becomes of other references
 * @throws StartError for a name that is not known
 */
export function addressed(
  schema: SchemaNode,
  known: ReadonlySet<string>,
  where: string,
  relocate = (reference: string): string => reference,
  path: readonly (string | number)[] = [],
): SchemaNode {
  const inner = {
    ...schema,
    ...mapSubschemas(schema, (one, ...steps) => addressed(one, known, where, relocate, [...path, ...steps])),
    ...mapDiscriminator(schema, (to, ...steps) => {
      const target = { $ref: to };
      return SHARED.test(to) ? addressed(target, known, where, relocate, [...path, ...steps]).$ref : to;
    }),
  };
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return inner;
  const [, name] = SHARED.exec(reference) ?? [];
  if (name === undefined) return { ...inner, $ref: relocate(reference) };
  if (known.has(name)) return { ...inner, $ref: reference.replace('#/schemas/', '#/$defs/') };
  const at = path.length === 0 ? '' : ` at ${path.join('.')}`;
  const meant = nearest(name, known);
  const has = known.size === 0 ? 'none: declare it there' : [...known].join(', ');
  throw new StartError(
    `${where} refers to "${reference}"${at}, which the version does not have in its "schemas". It has: ${has}.${meant === undefined ? '' : ` Did you mean "${meant}"?`}`,
  );
}

/** @throws StartError for a reference into a shared schema where nothing is */
export function assertTargets(schema: SchemaNode, definitions: Definitions, where: string): void {
  for (const { $ref: reference } of allSubschemas(schema)) {
    const [, name] = typeof reference === 'string' ? (INTO.exec(reference) ?? []) : [];
    if (name === undefined || typeof reference !== 'string' || !Object.hasOwn(definitions, name)) continue;
    if (resolveReference({ $defs: definitions }, reference) !== undefined) continue;
    throw new StartError(`${where} refers to "${asDeclared(reference)}", where there is no schema.`);
  }
}

/** The name of the shared schema that one is, with nothing beside its reference that says what values are allowed. */
export function sharedName(
  { $ref: reference, ...beside }: SchemaNode,
  definitions: Definitions,
): string | undefined {
  if (typeof reference !== 'string' || !Object.keys(beside).every(isAnnotation)) return undefined;
  const [, name, ...further] = reference.startsWith('#/$defs/') ? keysAt(reference) : [];
  return name === undefined || further.length > 0 || !Object.hasOwn(definitions, name) ? undefined : name;
}

/** A schema with what it refers to at its root written out, as those that look at its members expect it. */
export function withRoot(schema: SchemaNode, definitions: Definitions): SchemaNode {
  const { $ref: reference, ...beside } = schema;
  if (typeof reference !== 'string') return schema;
  const target = resolveReference({ $defs: definitions }, reference);
  if (target === undefined) return schema;
  if (Object.keys(beside).every(isAnnotation)) return { ...withRoot(target, definitions), ...beside };
  const parts: readonly unknown[] = Array.isArray(beside.allOf) ? beside.allOf : [];
  return { ...beside, allOf: [{ $ref: reference }, ...parts] };
}
