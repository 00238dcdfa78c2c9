import {
  allSubschemas,
  hasKeyword,
  isSchema,
  mapSubschemas,
  visitSubschemas,
  type SchemaNode,
} from '../../../framework';

/**
 * Rewrites unions of literals, as TypeBox writes `Type.Union` of literals and `Type.Enum`, as `enum`: validation
 * reports one error that lists the values, and the documentation shows a choice. Unions whose branches have
 * annotations stay.
 */
export function withEnums<S extends SchemaNode>(schema: S): S {
  if (!hasKeyword(schema, 'anyOf', 'oneOf')) return schema;
  if (!hasLiteralUnion(schema) || allSubschemas(schema).some(refersIntoUnion)) return schema;
  // The type is unchanged: the same values are valid.
  return rewrite(schema) as S;
}

function hasLiteralUnion(schema: SchemaNode): boolean {
  let isFound = false;
  visitSubschemas(schema, (one) => {
    isFound ||= valuesOf(one) !== undefined;
    // The entities of a list have none where its own members have some.
    return !isFound && (one.properties === undefined || hasKeyword(one, 'anyOf', 'oneOf'));
  });
  return isFound;
}

function rewrite(schema: SchemaNode): SchemaNode {
  const values = valuesOf(schema);
  if (values === undefined) return mapSubschemas(schema, rewrite);
  const { anyOf: _any, oneOf: _one, type, ...beside } = schema;
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const [only] = types;
  const own = type ?? (types.size === 1 ? only : undefined);
  return { ...(own === undefined ? {} : { type: own }), enum: values, ...beside };
}

/** Returns the values of a union of literals; undefined for any other schema. */
function valuesOf({ anyOf, oneOf, enum: own, const: only }: SchemaNode): readonly unknown[] | undefined {
  const branches = anyOf === undefined ? oneOf : oneOf === undefined ? anyOf : undefined;
  if (!Array.isArray(branches) || branches.length < 2 || own !== undefined || only !== undefined)
    return undefined;
  const values = branches.flatMap(valueOf);
  const isDistinct = new Set(values).size === branches.length;
  return isDistinct && values.some((one) => one !== null) ? values : undefined;
}

/** Returns the value of a branch that is a literal without other keywords. */
function valueOf(branch: unknown): readonly unknown[] {
  if (!isSchema(branch) || !Object.keys(branch).every((keyword) => keyword === 'const' || keyword === 'type'))
    return [];
  if (branch.type === 'null' && (branch.const === undefined || branch.const === null)) return [null];
  const { const: value } = branch;
  return ['string', 'number', 'boolean'].includes(typeof value) ? [value] : [];
}

function refersIntoUnion({ $ref: reference }: SchemaNode): boolean {
  return typeof reference === 'string' && /\/(?:anyOf|oneOf)\//.test(reference);
}
