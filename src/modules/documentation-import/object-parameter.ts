import { isSchema, listOf, type JsonObject } from '../../framework';
import type { JsonSchema } from '../documentation';
import { textOf } from './document/json';

/** A query parameter for a member of an object. */
interface MemberParameter {
  /** Its name in the object. */
  readonly member: string;
  readonly name: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

/**
 * Returns a query parameter for each member of one that is an object, as its style writes them (OpenAPI 3.1.1, 4.8.12.4):
 * `filter[name]=a` for `deepObject`, `name=a` for `form`.
 * @param schema of the parameter, with its annotations
 * @returns undefined for other styles, and for an object whose members are not declared, or are objects themselves
 */
export function memberParameters(
  { name, style = 'form', explode = style === 'form', content, required }: JsonObject,
  schema: JsonSchema,
): readonly MemberParameter[] | undefined {
  const { properties, allOf, anyOf, oneOf, examples, deprecated, required: needed } = schema;
  const isDeep = style === 'deepObject';
  const isWritten = isDeep || (style === 'form' && explode === true);
  const isComposed = [allOf, anyOf, oneOf].some((parts) => parts !== undefined);
  if (
    typeOf(schema) !== 'object' ||
    !isSchema(properties) ||
    !isWritten ||
    isComposed ||
    content !== undefined
  )
    return undefined;
  const members = Object.entries(properties).filter(([member]) => member !== '__proto__');
  if (members.length === 0 || members.some(([, one]) => isObjectOnly(one))) return undefined;
  const [example] = listOf(examples);
  return members.map(([member, one]) => ({
    member,
    name: isDeep ? `${textOf(name)}[${member}]` : member,
    required: required === true && listOf(needed).includes(member),
    schema: {
      ...(isSchema(one) ? one : {}),
      ...(deprecated === true ? { deprecated } : {}),
      ...(isSchema(example) && Object.hasOwn(example, member) ? { examples: [example[member]] } : {}),
    },
  }));
}

/** Whether a schema accepts objects only, or lists of them: clients cannot send any in a query. */
export function isObjectOnly(schema: unknown): boolean {
  if (!isSchema(schema)) return false;
  const type = typeOf(schema);
  return type === 'object' || (type === 'array' && isObjectOnly(schema.items));
}

/** The only type of a schema, apart from null. */
function typeOf({ type }: JsonSchema): unknown {
  const [only, ...others] = [type].flat().filter((one) => one !== 'null');
  return others.length === 0 ? only : undefined;
}
