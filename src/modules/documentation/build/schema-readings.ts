import type { FieldData, JsonSchema } from '../model/data';
import { exampleOfSchema } from '../model/example-of-schema';
import { fieldsFromSchema } from '../model/fields-from-schema';

/** What the documentation of a service takes from schemas. Its operations share most of them: each is read once. */
export interface SchemaReadings {
  readonly fieldsOf: (schema: JsonSchema) => readonly FieldData[];
  /** Returns undefined for a schema without an example. */
  readonly exampleOf: (schema: JsonSchema) => unknown;
}

export function schemaReadings(): SchemaReadings {
  return {
    fieldsOf: memoized((schema) => fieldsFromSchema(schema)),
    exampleOf: memoized(exampleOfSchema),
  };
}

function memoized<Result>(read: (schema: JsonSchema) => Result): (schema: JsonSchema) => Result {
  const results = new Map<JsonSchema, { readonly value: Result }>();
  return (schema) => {
    let result = results.get(schema);
    if (result === undefined) results.set(schema, (result = { value: read(schema) }));
    return result.value;
  };
}
