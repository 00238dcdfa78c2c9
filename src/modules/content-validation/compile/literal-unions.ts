import type { ErrorObject } from 'ajv/dist/2020';
import {
  allSubschemas,
  hasKeyword,
  isAnnotation,
  isList,
  isSchema,
  listOf,
  mapSubschemas,
  type SchemaNode,
} from '../../../framework';

/** Smaller unions stay as they are declared. */
const MAX_LITERALS = 50;

/** A reference to a branch of a union, which a list of values does not have. */
const BRANCH_REFERENCE = /\/(?:anyOf|oneOf)\/\d/;

/** The lists that replace literals: Ajv names them in its errors. */
const replacing = new WeakSet();

/** Whether a schema refers to a branch of a union. */
export function refersToBranch(schema: unknown): boolean {
  return (
    isSchema(schema) &&
    allSubschemas(schema).some(({ $ref: to }) => typeof to === 'string' && BRANCH_REFERENCE.test(to))
  );
}

/**
 * Replaces the literals of large unions by lists of values, one for each type: Ajv nests the code of each branch in that of
 * the one before, and two thousand branches would overflow the stack.
 * @param isReferenced whether a schema refers to a branch of this one
 */
export function groupLiterals<S extends object>(schema: S, isReferenced: () => boolean): S {
  if (!isSchema(schema) || !hasKeyword(schema, 'anyOf', 'oneOf')) return schema;
  // The same values are valid.
  return isReferenced() ? schema : (grouped(schema) as S);
}

function grouped(schema: SchemaNode): SchemaNode {
  const inner = mapSubschemas(schema, grouped);
  const keyword = (['anyOf', 'oneOf'] as const).find((one) => listOf(schema[one]).length > MAX_LITERALS);
  if (keyword === undefined) return inner;
  const literals = listOf(schema[keyword]).flatMap((branch) => literalBranchOf(branch) ?? []);
  const values = literals.map(({ value }) => value);
  if (values.length < listOf(schema[keyword]).length || new Set(values).size < values.length) return inner;
  const byType = new Map<unknown, unknown[]>();
  for (const { type, value } of literals) {
    const known = byType.get(type);
    if (known === undefined) byType.set(type, [value]);
    else known.push(value);
  }
  for (const all of byType.values()) replacing.add(all);
  const branches = [...byType].map(([type, all]) => ({ ...(type === undefined ? {} : { type }), enum: all }));
  return { ...inner, [keyword]: branches };
}

/** Returns undefined for a branch that is not a literal of a single type. */
function literalBranchOf(branch: unknown): { readonly type: unknown; readonly value: unknown } | undefined {
  if (!isSchema(branch)) return undefined;
  const isLiteral = Object.keys(branch).every(
    (one) => one === 'const' || one === 'type' || isAnnotation(one),
  );
  const { type, const: value = type === 'null' ? null : undefined } = branch;
  if (!isLiteral || value === undefined || (typeof value === 'object' && value !== null)) return undefined;
  return type === undefined || typeof type === 'string' ? { type, value } : undefined;
}

/** The schema path of a union, the index of a branch, and the keyword that failed in it. */
const BRANCH = /^(.*\/(?:anyOf|oneOf))\/(\d+)\/(.+)$/;

/** The branches of a union that a value failed, with their literals; undefined for a branch that is not a literal. */
type Branches = Map<string, readonly unknown[] | undefined>;

/**
 * Replaces the errors of each union of literals by one error that lists the allowed values. Such a union may,
 * unlike an
 * `enum`, describe each value; Ajv reports every branch of it.
 */
export function mergeLiteralUnionErrors(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const unions = new Map<string, Branches>();
  const others = new Set<string>();
  for (const error of errors) {
    const [, union, index = '', keyword] = BRANCH.exec(error.schemaPath) ?? [];
    if (union === undefined) continue;
    const branches: Branches =
      unions.get(keyOf(union, error)) ?? new Map<string, readonly unknown[] | undefined>();
    unions.set(keyOf(union, error), branches);
    const found = literalsOfError(error, keyword);
    if (found !== undefined || !branches.has(index)) branches.set(index, found);
    if (keyword !== 'type' && found === undefined) others.add(union);
  }
  const literals = new Map([...unions].map(([key, branches]) => [key, literalsOf(branches)]));
  const literalsIn = (union: string, error: ErrorObject): readonly unknown[] | undefined =>
    others.has(union) ? undefined : literals.get(keyOf(union, error));
  return errors.flatMap((error) => {
    const [, union] = BRANCH.exec(error.schemaPath) ?? [];
    if (union !== undefined && literalsIn(union, error) !== undefined) return [];
    if (error.keyword !== 'anyOf' && error.keyword !== 'oneOf') return [error];
    const allowedValues = literalsIn(error.schemaPath, error);
    return allowedValues === undefined ? [error] : [{ ...error, keyword: 'enum', params: { allowedValues } }];
  });
}

/** Returns the literals of a union; undefined if it has other branches, or a single one. */
function literalsOf(branches: Branches): readonly unknown[] | undefined {
  const values = [...branches.values()];
  const all = values.flatMap((one) => one ?? []);
  return all.length > 1 && !values.includes(undefined) ? all : undefined;
}

/** Items of a list share the schema path of their union. */
function keyOf(union: string, { instancePath }: ErrorObject): string {
  return `${union} ${instancePath}`;
}

function literalsOfError(
  { params }: ErrorObject,
  keyword: string | undefined,
): readonly unknown[] | undefined {
  const { allowedValue, allowedValues, type }: Record<string, unknown> = params;
  if (keyword === 'const') return [allowedValue];
  if (keyword === 'enum')
    return isList(allowedValues) && replacing.has(allowedValues) ? allowedValues : undefined;
  return keyword === 'type' && type === 'null' ? [null] : undefined;
}
