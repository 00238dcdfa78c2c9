import { _, Name, type CodeKeywordDefinition } from 'ajv';
import { BRANCH } from './with-branches';

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
