import { isSchema } from '../../../../framework';
import type { JsonSchema } from '../data';
import { constantsOf } from './constants';
import { isAnnotation, nameOfReference, partsOf, type SchemaParts } from './parts';

/** A union of a schema, before its alternatives are described. */
export interface UnionFacet {
  readonly kind: 'one' | 'any';
  readonly branches: readonly unknown[];
  /** The keyword `discriminator` of OpenAPI; empty for none. */
  readonly discriminator: string;
  /** The values of the discriminator by reference or name of the schema. */
  readonly mapping: ReadonlyMap<string, string>;
}

/** A member before it is described; all of its schemas apply. */
export interface MemberFacet {
  readonly isRequired: boolean;
  readonly schemas: readonly unknown[];
}

/** A schema merged with its `$ref`, `allOf` and unions of one alternative. */
export interface Facets extends SchemaParts {
  readonly name: string;
  readonly types: readonly string[];
  readonly isNullable: boolean;
  readonly members: ReadonlyMap<string, MemberFacet>;
  readonly unions: readonly UnionFacet[];
  /** Branches with the values of choices, which may have titles and descriptions. */
  readonly constants: readonly JsonSchema[];
}

const NONE_AROUND: ReadonlyMap<string, MemberFacet> = new Map();

/**
 * Collects what a schema says.
 * @param around the members of the schema that a branch belongs to: `{ required: ['name'] }` is about one of those
 */
export function facetsOf(
  schema: unknown,
  root: JsonSchema,
  around: ReadonlyMap<string, MemberFacet> = NONE_AROUND,
): Facets {
  const whole = partsOf(schema, root);
  const merged = mergeUnions(whole, root);
  const { parts } = merged;
  const declared = typesOf(parts);
  const types = declared.filter((type) => type !== 'null');
  const isNullOnly = declared.length > 0 && types.length === 0;
  return {
    ...merged,
    isNever: merged.isNever || (declared.length === 0 && parts.some(hasTypes)),
    name: nameOfReference(merged.reference, root),
    types: isNullOnly ? ['null'] : types,
    isNullable: !isNullOnly && (declared.length === 0 ? merged.namesNull : declared.includes('null')),
    members: membersOf(parts, around),
  };
}

interface Merged extends SchemaParts {
  readonly unions: readonly UnionFacet[];
  readonly constants: readonly JsonSchema[];
  /** Whether null is an alternative of a union. */
  readonly namesNull: boolean;
}

/** Maximum nesting depth of unions with one alternative. */
const MAX_ROUNDS = 8;

/** Converts unions of constants to choices, and unions of one alternative and null to a nullable schema. */
function mergeUnions(whole: SchemaParts, root: JsonSchema): Merged {
  let merged: Merged = { ...whole, unions: NO_UNIONS, constants: [], namesNull: false };
  let fresh = whole.parts;
  if (!fresh.some(hasUnions)) return merged;
  for (let round = 0; fresh.length > 0 && round < MAX_ROUNDS; round += 1) {
    const known = merged.parts.length;
    for (const union of fresh.flatMap(unionsOf)) merged = withUnion(merged, union, root);
    fresh = merged.parts.slice(known);
  }
  return fresh.some((part) => unionsOf(part).length > 0) ? { ...merged, isCut: true } : merged;
}

const NO_UNIONS: readonly UnionFacet[] = [];

/** Most schemas have none. */
function hasUnions(part: JsonSchema): boolean {
  return part.oneOf !== undefined || part.anyOf !== undefined;
}

function unionsOf(part: JsonSchema): readonly UnionFacet[] {
  if (!hasUnions(part)) return NO_UNIONS;
  const { discriminator } = part;
  const property = isSchema(discriminator) ? discriminator.propertyName : undefined;
  const mapping = new Map(
    isSchema(discriminator) && isSchema(discriminator.mapping)
      ? Object.entries(discriminator.mapping).map(([value, to]) => [String(to), value])
      : [],
  );
  return (['oneOf', 'anyOf'] as const).flatMap((keyword) => {
    const branches: unknown = part[keyword];
    if (!Array.isArray(branches) || branches.length === 0) return [];
    const kind = keyword === 'oneOf' ? 'one' : 'any';
    const name = typeof property === 'string' ? property : '';
    return [{ kind, branches, discriminator: name, mapping } as const];
  });
}

function withUnion(merged: Merged, union: UnionFacet, root: JsonSchema): Merged {
  const others = union.branches.filter((branch) => !isNull(branch));
  const hasNull = others.length < union.branches.length;
  const next = { ...merged, namesNull: merged.namesNull || hasNull };
  const nulls = hasNull ? [null] : [];
  const [only] = others;
  if (only === undefined) return withPart(next, { type: 'null' });
  if (others.every((branch) => constantsOf(branch).length > 0)) {
    const constants = [...next.constants, ...others.filter(isSchema)];
    return { ...withPart(next, { enum: [...others.flatMap(constantsOf), ...nulls] }), constants };
  }
  if (others.every(isSimple)) {
    const types = others.flatMap((branch) => [branch.type].flat());
    return withPart(next, { type: [...new Set([...types, ...nulls.map(typeOfValue)])] });
  }
  if (others.length > 1) return { ...next, unions: [...next.unions, { ...union, branches: others }] };
  const inner = partsOf(only, root);
  const isBare = merged.parts.length === 1 && Object.keys(merged.parts[0] ?? {}).every(isAnnotationOrUnion);
  return {
    ...next,
    parts: [...next.parts, ...inner.parts.map((part) => (hasNull ? orNull(part) : part))],
    references: [...next.references, ...inner.references],
    reference: isBare ? inner.reference : '',
    isNever: next.isNever || (inner.isNever && !hasNull),
    isCut: next.isCut || inner.isCut,
  };
}

function isNull(branch: unknown): boolean {
  return isSchema(branch) && (branch.type === 'null' || branch.const === null);
}

/** Whether a branch is only a type. */
function isSimple(branch: unknown): branch is { readonly type: unknown } {
  if (!isSchema(branch) || branch.type === undefined) return false;
  const types: readonly unknown[] = [branch.type].flat();
  return Object.keys(branch).length === 1 && !types.includes('object') && !types.includes('array');
}

function isAnnotationOrUnion(keyword: string): boolean {
  return isAnnotation(keyword) || keyword === 'anyOf' || keyword === 'oneOf';
}

function withPart(merged: Merged, part: JsonSchema): Merged {
  return { ...merged, parts: [...merged.parts, part] };
}

/** Returns the same schema, but nullable. */
function orNull(part: JsonSchema): JsonSchema {
  const { type, enum: choices, const: constant, ...rest } = part;
  return {
    ...rest,
    ...(type === undefined ? {} : { type: [...new Set([type, 'null'].flat())] }),
    ...(Array.isArray(choices) ? { enum: [...new Set([...(choices as unknown[]), null])] } : {}),
    ...(constant === undefined ? {} : { enum: [constant, null] }),
    ...Object.fromEntries(
      unionsOf(part).map(({ kind, branches }) => [
        kind === 'one' ? 'oneOf' : 'anyOf',
        branches.some(isNull) ? branches : [...branches, { type: 'null' }],
      ]),
    ),
  };
}

function hasTypes({ type, const: constant, enum: choices }: JsonSchema): boolean {
  return type !== undefined || constant !== undefined || Array.isArray(choices);
}

/** Returns the types that all parts allow, including `null`; empty for any and for none. */
function typesOf(parts: readonly JsonSchema[]): readonly string[] {
  const lists = parts.flatMap((part): readonly (readonly string[])[] => {
    const { type, const: constant, enum: choices } = part;
    const declared = typeof type === 'string' ? [type] : Array.isArray(type) ? type.map(String) : undefined;
    const values = constant !== undefined ? [constant] : Array.isArray(choices) ? choices : undefined;
    return [declared, values === undefined ? undefined : [...new Set(values.map(typeOfValue))]].filter(
      (list) => list !== undefined,
    );
  });
  const [first = [], ...others] = lists;
  return others.reduce(bothOf, first);
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** Intersects types; an integer is a number. */
function bothOf(some: readonly string[], others: readonly string[]): readonly string[] {
  const narrowed = (type: string, list: readonly string[]): readonly string[] => {
    if (list.includes(type)) return [type];
    if (type === 'number' && list.includes('integer')) return ['integer'];
    return type === 'integer' && list.includes('number') ? ['integer'] : [];
  };
  return [...new Set(some.flatMap((type) => narrowed(type, others)))];
}

function membersOf(
  parts: readonly JsonSchema[],
  around: ReadonlyMap<string, MemberFacet>,
): ReadonlyMap<string, MemberFacet> {
  const members = new Map<string, MemberFacet>();
  for (const { properties } of parts) {
    for (const [name, schema] of isSchema(properties) ? Object.entries(properties) : []) {
      const schemas = members.get(name)?.schemas ?? [];
      members.set(name, {
        isRequired: false,
        schemas: schemas.includes(schema) ? schemas : [...schemas, schema],
      });
    }
  }
  for (const { required } of parts) {
    for (const name of Array.isArray(required) ? (required as unknown[]) : []) {
      if (typeof name !== 'string') continue;
      const { schemas } = members.get(name) ?? around.get(name) ?? { schemas: [] };
      members.set(name, { isRequired: true, schemas });
    }
  }
  return members;
}
