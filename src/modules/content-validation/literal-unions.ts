import type { ErrorObject } from 'ajv/dist/2020';

/** The schema path of a union, the index of a branch, and the keyword that failed in it. */
const BRANCH = /^(.*\/(?:anyOf|oneOf))\/(\d+)\/(.+)$/;

/** The branches of a union that a value failed, with their literals; undefined for a branch that is not a literal. */
type Branches = Map<string, { readonly literal: unknown } | undefined>;

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
      unions.get(keyOf(union, error)) ?? new Map<string, { readonly literal: unknown } | undefined>();
    unions.set(keyOf(union, error), branches);
    const literal = literalOf(error, keyword);
    if (literal !== undefined || !branches.has(index)) branches.set(index, literal);
    if (keyword !== 'const' && keyword !== 'type') others.add(union);
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
  return values.length > 1 && values.every((one) => one !== undefined)
    ? values.map(({ literal }) => literal)
    : undefined;
}

/** Items of a list share the schema path of their union. */
function keyOf(union: string, { instancePath }: ErrorObject): string {
  return `${union} ${instancePath}`;
}

function literalOf({ params }: ErrorObject, keyword: string | undefined): { literal: unknown } | undefined {
  const { allowedValue, type }: Record<string, unknown> = params;
  if (keyword === 'const') return { literal: allowedValue };
  return keyword === 'type' && type === 'null' ? { literal: null } : undefined;
}
