import { _, Name, type CodeKeywordDefinition } from 'ajv';
import { allSubschemas, isSchema, listOf, mapSubschemas, type SchemaNode } from '../../../framework';

const BRANCH = 'x-branch';

/** The instance of Ajv, in generated code. */
const SELF = new Name('self');

/**
 * Validates a branch of a union twice: members that clients may not set are removed the second time, as a branch that fails
 * must keep them for another one.
 */
export const branchKeyword: CodeKeywordDefinition = {
  keyword: BRANCH,
  schemaType: 'object',
  code(context) {
    const { gen } = context;
    const isChecking = _`${SELF}.isChecking`;
    // Within a branch that is only checked.
    const isNested = gen.let('nested', isChecking);
    const isValid = gen.let('ok', true);
    gen.forRange('pass', 0, 2, (pass) => {
      gen.assign(isChecking, _`${isNested} || ${pass} === 0`);
      const valid = gen.name('valid');
      const branch = context.subschema({ keyword: BRANCH }, valid);
      context.mergeEvaluated(branch);
      gen.assign(isValid, valid);
      gen.if(_`${isNested} || !${isValid}`, () => gen.break());
    });
    gen.assign(isChecking, isNested);
    context.ok(isValid);
  },
};

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
