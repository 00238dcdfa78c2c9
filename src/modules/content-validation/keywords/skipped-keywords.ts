import { _, Name, type KeywordCxt } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020';
import { allSubschemas, isSchema, oncePer, type SchemaNode } from '../../../framework';
import { extendCode } from './extend-code';

/** The number of errors so far, in generated code. */
const ERRORS = new Name('errors');

/**
 * Corrects keywords of Ajv whose generated code reads a variable that was not set for the value: it is undefined, for which
 * Ajv skips the keywords that follow, or has the result of the value before.
 */
export function applyAllKeywords(ajv: Ajv2020): void {
  // Not set for a list without an item at the last position with a schema.
  extendCode(ajv, 'prefixItems', continueWithoutErrors);
  // Set within the block of a call only.
  extendCode(ajv, '$dynamicRef', (context, code) => {
    if (isDynamic(context)) continueWithoutErrors(context, code);
    else codeOf(ajv, '$ref')?.(context);
  });
}

/**
 * Whether a reference is not the same as `$ref`: to the whole schema, or in one of several resources (JSON Schema 2020-12, 8.2.3.2).
 * Ajv calls the whole schema for every other one, too.
 */
function isDynamic({ schema: reference, it: { schemaEnv } }: KeywordCxt): boolean {
  const { schema } = schemaEnv.root;
  if (!isSchema(schema)) return true;
  return reference === `#${String(schema.$dynamicAnchor)}` || hasResources(schema);
}

const hasResources = oncePer((schema: SchemaNode) =>
  allSubschemas(schema).some(({ $id: id }, at) => at > 0 && id !== undefined),
);

/** Continues with the keywords that follow if the keyword has found no errors. */
function continueWithoutErrors(context: KeywordCxt, code: (context: KeywordCxt) => void): void {
  const before = context.gen.const('before', ERRORS);
  const proceed = context.ok.bind(context);
  context.ok = () => {
    proceed(_`${before} === ${ERRORS}`);
  };
  code(context);
}

function codeOf(ajv: Ajv2020, keyword: string): ((context: KeywordCxt) => void) | undefined {
  const known = ajv.getKeyword(keyword);
  return typeof known === 'object' && 'code' in known ? known.code : undefined;
}
