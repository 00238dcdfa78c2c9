import {
  isAnnotation,
  listOf,
  allSubschemas,
  hasKeyword,
  parsePointer,
  mapDiscriminator,
  mapSubschemas,
  didYouMean,
  findCircularReference,
  resolveReference,
  ConfigurationError,
  type SchemaNode,
} from '../../../../framework';

/** Schemas by name. */
export type Definitions = Readonly<Record<string, SchemaNode>>;

/** A reference to a shared schema, or into one. */
const SHARED = /^#\/schemas\/([^/]+)(?:\/.*)?$/;

/** A pointer into a definition. */
const INTO_DEFINITION = /^#\/\$defs\/([^/]+)\//;

export function hasSharedReferences(schema: SchemaNode): boolean {
  return (
    hasKeyword(schema, '$ref') &&
    allSubschemas(schema).some(({ $ref: one }) => typeof one === 'string' && SHARED.test(one))
  );
}

/** Returns a reference as its author wrote it. */
export function declaredReference(reference: string): string {
  return reference.replace('#/$defs/', '#/schemas/');
}

/**
 * Rewrites references to shared schemas (`#/schemas/Money`) as `#/$defs/…`.
 * @param known names of the shared schemas
 * @param where location of the schema, for messages
 * @param relocate rewrites other references
 * @throws ConfigurationError for an unknown name
 */
export function resolveSharedReferences(
  schema: SchemaNode,
  known: ReadonlySet<string>,
  where: string,
  relocate = (reference: string): string => reference,
  path: readonly (string | number)[] = [],
): SchemaNode {
  const inner = {
    ...schema,
    ...mapSubschemas(schema, (one, ...steps) =>
      resolveSharedReferences(one, known, where, relocate, [...path, ...steps]),
    ),
    ...mapDiscriminator(schema, (to, ...steps) => {
      const target = { $ref: to };
      return SHARED.test(to)
        ? resolveSharedReferences(target, known, where, relocate, [...path, ...steps]).$ref
        : to;
    }),
  };
  const { $ref: reference } = schema;
  if (typeof reference !== 'string') return inner;
  const [, name] = SHARED.exec(reference) ?? [];
  if (name === undefined) return { ...inner, $ref: relocate(reference) };
  if (known.has(name)) return { ...inner, $ref: reference.replace('#/schemas/', '#/$defs/') };
  const at = path.length === 0 ? '' : ` at ${path.join('.')}`;
  const has = known.size === 0 ? 'none: declare it there' : [...known].join(', ');
  throw new ConfigurationError(
    `${where} refers to "${reference}"${at}, which is not in the "schemas" of the version. Available: ${has}.${didYouMean(name, known)}`,
  );
}

/** @throws ConfigurationError for a reference into a shared schema that resolves to nothing */
export function assertTargets(schema: SchemaNode, definitions: Definitions, where: string): void {
  for (const { $ref: reference } of allSubschemas(schema)) {
    const [, name] = typeof reference === 'string' ? (INTO_DEFINITION.exec(reference) ?? []) : [];
    if (name === undefined || typeof reference !== 'string' || !Object.hasOwn(definitions, name)) continue;
    if (resolveReference({ $defs: definitions }, reference) !== undefined) continue;
    throw new ConfigurationError(
      `${where} refers to "${declaredReference(reference)}", where there is no schema.`,
    );
  }
}

/** Returns the name of the shared schema to which a schema is a plain reference, perhaps with annotations. */
export function sharedName(
  { $ref: reference, ...siblings }: SchemaNode,
  definitions: Definitions,
): string | undefined {
  if (typeof reference !== 'string' || !Object.keys(siblings).every(isAnnotation)) return undefined;
  const [, name, ...further] = reference.startsWith('#/$defs/') ? parsePointer(reference) : [];
  return name === undefined || further.length > 0 || !Object.hasOwn(definitions, name) ? undefined : name;
}

/** Resolves the reference at the root of a schema, for code that reads its members. */
export function resolveRoot(schema: SchemaNode, definitions: Definitions): SchemaNode {
  const { $ref: reference, ...siblings } = schema;
  if (typeof reference !== 'string') return schema;
  const target = resolveReference({ $defs: definitions }, reference);
  if (target === undefined) return schema;
  if (Object.keys(siblings).every(isAnnotation)) return { ...resolveRoot(target, definitions), ...siblings };
  const parts = listOf(siblings.allOf);
  return { ...siblings, allOf: [{ $ref: reference }, ...parts] };
}

/**
 * Rejects definitions that reference themselves: see {@link findCircularReference}.
 * @param definitions definitions that reference each other as `#/$defs/…`
 * @param where version name, for the message
 * @throws ConfigurationError
 */
export function assertNoCircularReferences(definitions: SchemaNode, where: string): void {
  const references = Object.keys(definitions).map((name) => `#/$defs/${name}`);
  const circle = findCircularReference({ $defs: definitions }, references, where);
  if (circle === undefined) return;
  const names = circle.map((one) => one.replace('#/$defs/', ''));
  throw new ConfigurationError(
    `${where}: circular schema references: ${names.join(' → ')}. Remove one of them.`,
  );
}
