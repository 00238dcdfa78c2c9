import type { Constraint } from './constraints';
import type { SchemaFlag } from './flags';

/**
 * The description of a JSON Schema for readers: a finite tree that pages, Markdown and the console render. A
 * description never excludes a value that the schema allows.
 */
export interface SchemaDescription {
  /** JSON types, `null` excluded; empty for any. */
  readonly types: readonly string[];
  /** Whether the value may be null, in addition to its types. */
  readonly isNullable: boolean;
  /** Whether no value is valid, as with `false`. */
  readonly isNever: boolean;
  /** The name of the referenced schema; empty for a schema without one. */
  readonly name: string;
  /** Set if the schema is described elsewhere: it is recursive, or described at {@link link}. */
  readonly isReference: boolean;
  /** The fragment where the named schema is described, e.g. `#schema-Pet`; empty for none. */
  readonly link: string;
  readonly description: string;
  readonly flags: readonly SchemaFlag[];
  readonly constraints: readonly Constraint[];
  /** Absent if there is none; `null` is a possible example. */
  readonly example?: unknown;
  readonly members: readonly MemberDescription[];
  /** The number of omitted members. */
  readonly more: number;
  /** Whether anything else is omitted. */
  readonly isCut: boolean;
  /** The members with free names. */
  readonly values: readonly ValuesDescription[];
  /** Whether other members are not allowed. */
  readonly isClosed: boolean;
  /** The items of an array, after {@link places}. */
  readonly items?: SchemaDescription;
  /** The items of a tuple. */
  readonly places: readonly SchemaDescription[];
  /** Unions; a value matches an alternative of each. */
  readonly unions: readonly UnionDescription[];
}

/** A member of an object. */
interface MemberDescription {
  readonly name: string;
  readonly isRequired: boolean;
  readonly schema: SchemaDescription;
}

/** Members with free names. */
interface ValuesDescription {
  /** The regular expression of the names; empty for any name. */
  readonly pattern: string;
  readonly schema: SchemaDescription;
}

/** Alternatives: a value matches exactly one of them, or at least one. */
export interface UnionDescription {
  readonly kind: 'one' | 'any';
  /** The member whose value distinguishes the alternatives; empty for none. */
  readonly discriminator: string;
  readonly alternatives: readonly AlternativeDescription[];
  /** The number of omitted alternatives. */
  readonly more: number;
}

/** One alternative. */
interface AlternativeDescription {
  /** Unique within its union. */
  readonly label: string;
  readonly schema: SchemaDescription;
}

/** Whether a description has more than its type: members, items or alternatives. */
export function hasStructure(schema: SchemaDescription): boolean {
  const { members, more, items, places, unions } = schema;
  if (members.length > 0 || more > 0 || unions.length > 0 || places.length > 0) return true;
  return hasValues(schema) || (items !== undefined && !items.isReference && hasDetails(items));
}

/** Whether the members with free names need more than the type: `map of string`. */
export function hasValues({ members, values }: SchemaDescription): boolean {
  if (values.length !== 1 || members.length > 0) return values.length > 0;
  return values.some(({ pattern, schema }) => pattern !== '' || (!schema.isReference && hasDetails(schema)));
}

/** The number of members and alternatives in a description. */
export function sizeOf({ members, values, items, places, unions }: SchemaDescription): number {
  const inner = [
    ...members.map(({ schema }) => schema),
    ...values.map(({ schema }) => schema),
    ...places,
    ...unions.flatMap(({ alternatives }) => alternatives.map(({ schema }) => schema)),
  ];
  return inner.reduce((size, one) => size + 1 + sizeOf(one), items === undefined ? 0 : sizeOf(items));
}

/** Whether a description has more than a type: structure, constraints or text. */
export function hasDetails(schema: SchemaDescription): boolean {
  const { description, flags, constraints, example, isReference } = schema;
  if (description !== '' || flags.length > 0 || constraints.length > 0 || example !== undefined) return true;
  return !isReference && hasStructure(schema);
}
