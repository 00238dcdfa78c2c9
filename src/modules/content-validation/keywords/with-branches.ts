import { allSubschemas, isSchema, listOf, mapSubschemas, type SchemaNode } from '../../../framework';

// Loaded at every start: without Ajv, which the keyword itself needs.

/** The keyword of a branch of a union whose members may be removed. */
export const BRANCH = 'x-branch';

/** Wraps the branches of unions whose members may be removed. @param schema with the definitions that it refers to */
export function withBranches<S extends object>(schema: S): S {
  if (!isSchema(schema) || !allSubschemas(schema).some(isRemoved)) return schema;
  return wrapped(schema) as S;
}

function wrapped(schema: SchemaNode): SchemaNode {
  const inner = mapSubschemas(schema, wrapped);
  const unions = (['anyOf', 'oneOf'] as const).filter((keyword) => Array.isArray(schema[keyword]));
  const branches = unions.map((keyword) => [keyword, listOf(inner[keyword]).map(wrappedBranch)] as const);
  return branches.length === 0 ? inner : { ...inner, ...Object.fromEntries(branches) };
}

function wrappedBranch(branch: unknown): unknown {
  if (!isSchema(branch)) return branch;
  const mayRemove = allSubschemas(branch).some(
    (one) => isRemoved(one) || BRANCH in one || typeof one.$ref === 'string',
  );
  return mayRemove ? { [BRANCH]: branch } : branch;
}

function isRemoved(schema: SchemaNode): boolean {
  return schema['x-read-only'] === 'ignore';
}
