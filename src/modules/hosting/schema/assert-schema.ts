import {
  allSubschemas,
  ConfigurationError,
  findCircularReference,
  hasKeyword,
  KEYWORDS,
  printable,
  type SchemaNode,
} from '../../../framework';

/**
 * Rejects a schema without any keyword, such as `{ name: 'string' }`: JSON Schema ignores unknown keywords, so that it
 * would accept every value. Rejects one that refers to itself, such as `{ $ref: '#' }`.
 * @param where location of the schema, for messages
 * @throws ConfigurationError
 */
export function assertSchema(schema: SchemaNode, where: string): void {
  const keys = Object.keys(schema);
  const [first] = keys;
  if (first !== undefined && !keys.some((key) => KEYWORDS.has(key) || key.startsWith('x-'))) {
    throw new ConfigurationError(
      `${where} is not a JSON Schema: "${first}" is not a keyword. Declare members in "properties", as Type.Object({ ${first}: … }) does.`,
    );
  }
  if (hasKeyword(schema, '$ref')) assertEnds(schema, where);
}

function assertEnds(schema: SchemaNode, where: string): void {
  const references = allSubschemas(schema).flatMap(({ $ref: one }) => (typeof one === 'string' ? [one] : []));
  const circle = findCircularReference(schema, references, where);
  if (circle === undefined) return;
  throw new ConfigurationError(
    `${where}: the $ref "${circle[0]}" is circular: ${printable(circle.join(' → '))}. Refer to another schema, or to the schema of a member.`,
  );
}
