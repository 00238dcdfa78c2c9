import { _, str, type CodeKeywordDefinition } from 'ajv';
import type { FuncKeywordDefinition } from 'ajv/dist/2020';
import { useFunc } from 'ajv/dist/compile/util';
import ucs2length from 'ajv/dist/runtime/ucs2length';
import type { DataValidationCxt, SchemaValidateFunction } from 'ajv/dist/types';
import { isOrderOf } from './sort-order';

/**
 * Replaces Ajv's `maxLength` and `minLength` (JSON Schema Validation, 6.3), at the same position and with the same
 * messages. They count code points, which are between half and all of the code units of a string, so the code points
 * are counted only if the number of units leaves a doubt. Counting was the largest cost of validating a text body.
 */
export const lengthKeywords: CodeKeywordDefinition = {
  keyword: ['maxLength', 'minLength'],
  type: 'string',
  schemaType: 'number',
  before: 'pattern',
  error: {
    message: ({ keyword, schemaCode }) =>
      str`must NOT have ${keyword === 'maxLength' ? 'more' : 'fewer'} than ${schemaCode} characters`,
    params: ({ schemaCode }) => _`{limit: ${schemaCode}}`,
  },
  code(context) {
    const { keyword, data, schemaCode, gen } = context;
    const points = _`${useFunc(gen, ucs2length)}(${data})`;
    context.fail(
      keyword === 'maxLength'
        ? _`${data}.length > ${schemaCode} && ${points} > ${schemaCode}`
        : _`${data}.length < 2 * ${schemaCode} && ${points} < ${schemaCode}`,
    );
  },
};

/**
 * `x-read-only` replaces a member that clients may not set: removes it from the body (`ignore`), or rejects it.
 * @param remove removes a member of a value that is being validated
 */
export const readOnlyKeyword = (
  remove: (parent: object, name: PropertyKey) => void,
): FuncKeywordDefinition => ({
  keyword: 'x-read-only',
  schemaType: 'string',
  modifying: true,
  errors: false,
  validate: (mode: unknown, _value: unknown, _schema?: object, context?: DataValidationCxt) => {
    if (mode !== 'ignore') return false;
    if (context !== undefined) remove(context.parentData, context.parentDataProperty);
    return true;
  },
});

const isOrder: SchemaValidateFunction = (names: readonly string[], text: string) => {
  if (isOrderOf(names, text)) return true;
  // Ajv reads the errors of a keyword from the function (Ajv guide, user-defined keywords).
  isOrder.errors = [{ keyword: 'x-sort-by', params: { names } }];
  return false;
};

/** `x-sort-by`: the names that a sort order like `-price,name` may use, each once. */
export const sortKeyword: FuncKeywordDefinition = {
  keyword: 'x-sort-by',
  type: 'string',
  schemaType: 'array',
  validate: isOrder,
};
