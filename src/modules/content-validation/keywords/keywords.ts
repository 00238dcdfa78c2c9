import { _, str, type CodeKeywordDefinition } from 'ajv';
import type { FuncKeywordDefinition } from 'ajv/dist/2020';
import { useFunc } from 'ajv/dist/compile/util';
import ucs2length from 'ajv/dist/runtime/ucs2length';
import type { DataValidationCxt, SchemaValidateFunction } from 'ajv/dist/types';

/**
 * `maxLength` and `minLength` (JSON Schema Validation, 6.3), in the place and in the words of Ajv's own. They mean
 * code points, of which a JavaScript string has at most as many as units, and at least half as many: the points are
 * counted only where that leaves a doubt. Counting them always costs more than all else about a body of text.
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

/** `x-read-only` stands in place of a member that clients may not set: it is taken out of the body, or refused. */
export const readOnlyKeyword: FuncKeywordDefinition = {
  keyword: 'x-read-only',
  schemaType: 'string',
  modifying: true,
  errors: false,
  validate: (mode: unknown, _value: unknown, _schema?: object, context?: DataValidationCxt) => {
    if (mode !== 'ignore') return false;
    if (context !== undefined) Reflect.deleteProperty(context.parentData, context.parentDataProperty);
    return true;
  },
};

const isOrder: SchemaValidateFunction = (names: readonly string[], text: string) => {
  const keys = text.split(',').map((key) => key.replace(/^-/, ''));
  const isRight = keys.every((key, at) => names.includes(key) && keys.indexOf(key) === at);
  const message = `must be a list of: ${names.join(', ')}; separated by commas, each at most once, with "-" before it for descending order`;
  // Where Ajv looks for what a keyword has to say (its guide to user-defined keywords, `validate`).
  isOrder.errors = isRight ? [] : [{ keyword: 'x-sort-by', message, params: {} }];
  return isRight;
};

/** `x-sort-by` lists the names that a text like `-price,name` may hold, each once. */
export const sortKeyword: FuncKeywordDefinition = {
  keyword: 'x-sort-by',
  type: 'string',
  schemaType: 'array',
  validate: isOrder,
};
