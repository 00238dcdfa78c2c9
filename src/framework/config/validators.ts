import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { SchemaNode } from './subschemas';

// The schemas of sections are written by those who write modules: nobody waits for the metaschema because of them.
const ajv = addFormats(
  new Ajv2020({
    allErrors: true,
    verbose: true,
    strict: false,
    allowUnionTypes: true,
    validateSchema: false,
    meta: false,
  }),
);

/**
 * Compiling is what a check costs, a hundred times over: a swap, or the preview of one, that has the schemas of
 * the last shall not hold requests up for it. What is kept is a pure function of its schema, and goes with it.
 */
const compiled = new WeakMap<SchemaNode, ValidateFunction>();

/** The compiled form of a schema, made once. */
export function validatorOf(schema: SchemaNode): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile(schema);
  // It would keep the schema for ever, and refuse another with the same $id.
  ajv.removeSchema(schema);
  compiled.set(schema, validate);
  return validate;
}
