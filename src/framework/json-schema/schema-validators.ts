import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import type { SchemaNode } from './subschemas';

// Schemas come from module authors: validating them against the metaschema would only cost startup time.
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
 * Compiling costs a hundred times as much as validating, and reloads reuse the same schemas. Weak: an entry lives as
 * long as its schema.
 */
const compiled = new WeakMap<SchemaNode, ValidateFunction>();

/** Compiles a schema, once. */
export function validatorFor(schema: SchemaNode): ValidateFunction {
  const known = compiled.get(schema);
  if (known !== undefined) return known;
  const validate = ajv.compile(schema);
  // Ajv would keep the schema forever, and reject another with the same $id.
  ajv.removeSchema(schema);
  compiled.set(schema, validate);
  return validate;
}
