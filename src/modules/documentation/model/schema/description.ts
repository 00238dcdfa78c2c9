/**
 * What a JSON Schema says of a value, for readers: a finite tree that pages, Markdown and the console render. A
 * description never excludes a value that the schema allows.
 */
export interface SchemaDescription {
  /** JSON types, `null` excluded; empty for any. */
  readonly types: readonly string[];
  /** Whether the value may be null, where it is not of any type. */
  readonly isNullable: boolean;
  /** Whether no value matches, as with `false`. */
  readonly isNever: boolean;
  /** The name of the schema that it refers to; empty for a schema without one. */
  readonly name: string;
  /** Set where the schema is described elsewhere: around this one (a recursive schema), or at {@link link}. */
  readonly isReference: boolean;
  /** The fragment where the named schema is described, e.g. `#schema-Pet`; empty for none. */
  readonly link: string;
  readonly description: string;
  readonly flags: readonly SchemaFlag[];
  readonly constraints: readonly Constraint[];
  /** Absent where there is none; `null` is an example too. */
  readonly example?: unknown;
  readonly members: readonly MemberDescription[];
  /** The number of members that are left out of a large description. */
  readonly more: number;
  /** Whether anything else is left out. */
  readonly isCut: boolean;
  /** The members with free names. */
  readonly values: readonly ValuesDescription[];
  /** Whether there are no members beside these. */
  readonly isClosed: boolean;
  /** The items of an array, after {@link places}. */
  readonly items?: SchemaDescription;
  /** The items of a tuple. */
  readonly places: readonly SchemaDescription[];
  /** Alternatives; a value fulfils each of these unions. */
  readonly unions: readonly UnionDescription[];
}

/** Annotations of a schema that readers have to know of. */
export type SchemaFlag = 'read-only' | 'write-only' | 'deprecated';

/** A constraint in words, followed by literal values: `Format` and `date`. */
export interface Constraint {
  /** The keyword of JSON Schema, e.g. `format`. */
  readonly keyword: string;
  readonly words: string;
  readonly values: readonly unknown[];
}

/** A member of an object. */
export interface MemberDescription {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: SchemaDescription;
}

/** Members with free names. */
export interface ValuesDescription {
  /** The regular expression of the names; empty for any name. */
  readonly pattern: string;
  readonly schema: SchemaDescription;
}

/** Alternatives: a value matches exactly one of them, or at least one. */
export interface UnionDescription {
  readonly kind: 'one' | 'any';
  /** The member whose value tells the alternatives apart; empty for none. */
  readonly discriminator: string;
  readonly alternatives: readonly AlternativeDescription[];
  /** The number of alternatives that are left out. */
  readonly more: number;
}

/** One alternative. */
export interface AlternativeDescription {
  /** Unique within its union. */
  readonly label: string;
  readonly schema: SchemaDescription;
}

/**
 * The type of a described value in words.
 *
 * @example
 * typeText(describeSchema({ type: 'array', items: { type: ['string', 'null'] } })); // 'array of (string or null)'
 */
export function typeText(schema: SchemaDescription): string {
  return typeWords(schema).join(' or ');
}

function typeWords(schema: SchemaDescription): readonly string[] {
  if (schema.isNever) return ['no value'];
  const isNamed = schema.name !== '';
  if (isNamed && schema.isReference) return withNull([schema.name], schema);
  const words = schema.types.map((type) => wordsOf(type, schema));
  const all = words.length > 0 ? words : alternativeWords(schema);
  // A name that says no more than the type, such as that of an alternative, is not repeated.
  return withNull(isNamed ? [`${all.join(' or ')} (${schema.name})`] : all, schema);
}

function withNull(words: readonly string[], { isNullable }: SchemaDescription): readonly string[] {
  return isNullable ? [...words, 'null'] : words;
}

function wordsOf(type: string, { items, members, values, places }: SchemaDescription): string {
  if (type === 'array' && items !== undefined && places.length === 0) return `array of ${grouped(items)}`;
  const [only] = values;
  const isMap = type === 'object' && members.length === 0 && values.length === 1 && only !== undefined;
  return isMap ? `map of ${grouped(only.schema)}` : type;
}

function grouped(schema: SchemaDescription): string {
  const words = typeWords(schema);
  return words.length > 1 ? `(${words.join(' or ')})` : words.join('');
}

/** Labels that a type is made of; longer lists are counted. */
const MAX_LABELS = 3;

function alternativeWords({ unions, members, items }: SchemaDescription): readonly string[] {
  const [union] = unions;
  // Schemas without a type allow others, too; nobody who names members means them.
  if (union === undefined) return [members.length > 0 ? 'object' : items === undefined ? 'any' : 'array'];
  const labels = union.alternatives.map(({ label }) => label);
  const count = labels.length + union.more;
  return count <= MAX_LABELS ? labels : [`one of ${count} alternatives`];
}

/** Whether a description says more than its type, in members, items or alternatives. */
export function hasStructure({ members, more, values, items, places, unions }: SchemaDescription): boolean {
  if (members.length > 0 || more > 0 || unions.length > 0 || places.length > 0) return true;
  if (values.some(({ pattern, schema }) => pattern !== '' || hasDetails(schema))) return true;
  return items !== undefined && hasDetails(items);
}

/** Whether a description has more than a type: structure, constraints, or a text. */
export function hasDetails(schema: SchemaDescription): boolean {
  const { description, flags, constraints, example, isReference } = schema;
  if (description !== '' || flags.length > 0 || constraints.length > 0 || example !== undefined) return true;
  return !isReference && hasStructure(schema);
}
