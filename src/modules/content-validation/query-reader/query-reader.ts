import { isInherited, isSchema, type SchemaNode } from '../../../framework';
import { compileQueryCheck, type QueryCheck } from './query-check';
import { readPairs } from './query-pairs';
import { acceptsConverted, isAnnotation, readableParameter, type ReadableParameter } from './text-types';

/**
 * Reads a query: returns its values, with defaults. Returns undefined for a query that may be invalid or is written in
 * another than the usual notation: a validator decides about it, and has the error messages.
 * @param query still encoded, without its `?`
 */
export type QueryReader = (query: string) => Record<string, unknown> | undefined;

/** What a reader needs besides the schema. */
export interface QueryReaderOptions {
  /** Whether undeclared names are ignored. */
  readonly ignoresUnknown: boolean;
  /** Compiles a check of values, which adds defaults and converts nothing. */
  readonly compile: (schema: object) => (value: unknown) => boolean;
}

/** Keywords of a query that are the same for a reader. Undeclared names are never in its values. */
const COMMON = ['type', 'properties', 'required', 'additionalProperties', '$defs', '$schema'];

/**
 * Compiles the query of an operation into one function, which converts texts while it reads them. Only declared names
 * of simple types are read, so its result is that of the validator. A closure rather than generated code: it is as
 * fast, as most of the time is spent in the loop over characters.
 * @returns undefined for a schema whose queries are left to the validator
 */
export function compileQueryReader(schema: object, options: QueryReaderOptions): QueryReader | undefined {
  if (!isSchema(schema) || schema.type !== 'object' || !isSchema(schema.properties)) return undefined;
  if (!Object.keys(schema).every((keyword) => COMMON.includes(keyword) || isAnnotation(keyword)))
    return undefined;
  const members = Object.entries(schema.properties);
  // Of the values, only own members are known.
  if (members.some(([name]) => isInherited(name))) return undefined;
  const parameters = new Map(members.map(([name, member]) => [name, readableParameter(member)]));
  // Ajv may convert a default, too.
  if (members.some(([name, member]) => parameters.get(name) === undefined && hasDefault(member)))
    return undefined;
  const readable = members.flatMap(([name, member]) =>
    parameters.get(name) !== undefined && isSchema(member) ? [[name, member] as const] : [],
  );
  const check = acceptsAll(schema, readable)
    ? undefined
    : (compileQueryCheck(readable, schema.required) ??
      options.compile({
        type: 'object',
        properties: Object.fromEntries(readable),
        ...(schema.required === undefined ? {} : { required: schema.required }),
      }));
  return readerOf(parameters, options.ignoresUnknown, check);
}

function hasDefault(member: unknown): boolean {
  return isSchema(member) && 'default' in member;
}

/** Whether every combination of converted values is valid, and has no defaults. */
function acceptsAll({ required }: SchemaNode, members: readonly (readonly [string, SchemaNode])[]): boolean {
  return (
    (required === undefined || (Array.isArray(required) && required.length === 0)) &&
    members.every(([, member]) => acceptsConverted(member))
  );
}

function readerOf(
  parameters: ReadonlyMap<string, ReadableParameter | undefined>,
  ignoresUnknown: boolean,
  check: QueryCheck | undefined,
): QueryReader {
  const add = (values: Record<string, unknown>, name: string, text: string): boolean => {
    const parameter = parameters.get(name);
    if (parameter === undefined) return ignoresUnknown && !parameters.has(name);
    const value = parameter.convert(text);
    if (value === undefined) return false;
    const known = values[name];
    if (known === undefined) values[name] = parameter.isList ? [value] : value;
    else if (Array.isArray(known)) known.push(value);
    else return false;
    return true;
  };
  return (query) => {
    const values: Record<string, unknown> = {};
    return readPairs(query, values, add) && (check === undefined || check(values)) ? values : undefined;
  };
}
