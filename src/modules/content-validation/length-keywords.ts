import { _, str, type CodeKeywordDefinition } from 'ajv';
import { useFunc } from 'ajv/dist/compile/util';
import ucs2length from 'ajv/dist/runtime/ucs2length';

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
