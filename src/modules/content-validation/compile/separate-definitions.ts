import { allSubschemas, isSchema, objectOf, resolveReference, type SchemaNode } from '../../../framework';
import type { Ajv2020 } from 'ajv/dist/2020';
import { compileLater, REFERENCE, toAddresses } from './shared-definitions';

/** Own definitions that are compiled within their schema. */
const MAX_WITHIN = 50;

/** Keywords by which a definition may refer to more than other definitions. */
const SCOPES = ['$id', '$anchor', '$dynamicAnchor', '$dynamicRef'];

/** How many schemas have separate definitions: the addresses of each differ. */
let count = 0;

/**
 * Adds the definitions of a schema to an instance, if there are many, and returns the schema with references to them: Ajv
 * compiles a definition within the one that refers to it, and a chain of three hundred would overflow the stack.
 * @param prepare prepares a schema for the instance
 * @param isVerified whether all definitions are known to be valid: each is compiled when a value first reaches it
 * @throws Error for an invalid definition
 */
export function separateDefinitions(
  ajv: Ajv2020,
  schema: object,
  prepare: (schema: object) => object,
  isVerified: boolean,
): object {
  if (!isSchema(schema) || Object.keys(objectOf(schema.$defs)).length <= MAX_WITHIN) return schema;
  const { $defs, ...bare } = schema;
  const definitions = Object.entries(objectOf($defs)).filter(
    (one): one is [string, SchemaNode | boolean] => isSchema(one[1]) || typeof one[1] === 'boolean',
  );
  if (!areSeparable(schema, definitions)) return schema;
  count += 1;
  const number = count;
  const names = new Set(definitions.map(([name]) => name));
  const addressOf = (name: string): string => `platform:/own-schemas/${number}/_${name}`;
  const addressed = (one: SchemaNode): SchemaNode =>
    toAddresses(one, (name) => (names.has(name) ? addressOf(name) : undefined));
  for (const [name, definition] of definitions) {
    ajv.addSchema(isSchema(definition) ? prepare(addressed(definition)) : definition, addressOf(name));
    compileLater(ajv, addressOf(name));
  }
  for (const name of isVerified ? [] : names) {
    delete ajv.schemas[addressOf(name)]?.validate;
    ajv.getSchema(addressOf(name));
  }
  return addressed(bare);
}

/** Whether the definitions, and references to them, mean the same outside of their schema. */
function areSeparable(
  schema: SchemaNode,
  definitions: readonly (readonly [string, SchemaNode | boolean])[],
): boolean {
  const byName = new Map(definitions);
  const isOfDefinition = (reference: string): boolean => {
    const [, name = '', path] = REFERENCE.exec(reference) ?? [];
    const definition = byName.get(name);
    return isSchema(definition)
      ? resolveReference(schema, reference) !== undefined
      : definition !== undefined && path === undefined;
  };
  const { $defs: _, ...bare } = schema;
  const outer = allSubschemas(bare);
  const inner = definitions.flatMap(([, one]) => (isSchema(one) ? allSubschemas(one) : []));
  return (
    [...outer, ...inner].every(
      (one) =>
        !SCOPES.some((keyword) => one[keyword] !== undefined) &&
        (typeof one.$ref !== 'string' || !one.$ref.startsWith('#/$defs/') || isOfDefinition(one.$ref)),
    ) && inner.every(({ $ref: to }) => typeof to !== 'string' || !to.startsWith('#') || isOfDefinition(to))
  );
}
