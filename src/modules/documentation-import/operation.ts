import { isDeepStrictEqual } from 'node:util';
import { isMediaType, isProcedureStatus, NOT_IMPLEMENTED } from '../hosting';
import { below, isObject, objectOf, textOf, type JsonObject } from './json';
import { exampleOf, noteFurther, parametersOf, type Parameter, type Tools } from './parameters';

/** Bodies that the platform reads as values; parameters of a type say nothing that it does not know. */
const BODY = /^application\/(json|x-www-form-urlencoded|[\w.-]+\+json)$/;

const JSON_TYPE = /^application\/([\w.-]+\+)?json$/;

const OK = 200;
const NO_CONTENT = 204;

/** What the platform says of itself where it happens. */
const ERRORS = 400;

/** An operation as configuration has it, and the parameters of its path. */
export interface ImportedOperation {
  readonly operation: JsonObject;
  readonly pathParameters: readonly Parameter[];
}

/**
 * @param at where its path stands, as a JSON Pointer
 * @param security of the document, where the operation has none of its own
 */
export function importOperation(
  method: string,
  item: JsonObject,
  operation: JsonObject,
  at: string,
  security: unknown,
  tools: Tools,
): ImportedOperation {
  const { losses } = tools;
  const pointer = below(at, method.toLowerCase());
  if (Array.isArray(operation.tags) && operation.tags.length > 1) {
    losses.note('tags of an operation beyond the first', pointer);
  }
  const parameters = parametersOf(item, operation, pointer, at, tools);
  const query = parameters.filter(({ place }) => place === 'query');
  const required = query.flatMap((one) => (one.required ? [one.name] : []));
  const properties = Object.fromEntries(query.map(({ name, schema }) => [name, schema]));
  return {
    pathParameters: parameters.filter(({ place }) => place === 'path'),
    operation: {
      description: descriptionOf(operation),
      ...(query.length === 0 ? {} : { query: { type: 'object', properties, required } }),
      ...requestOf(method, operation, pointer, tools),
      ...responsesOf(operation, pointer, tools),
      ...(operation.deprecated === true ? { deprecated: true } : {}),
      ...(needsUser(operation.security ?? security) ? { authorization: 'authenticated' } : {}),
      handler: NOT_IMPLEMENTED,
    },
  };
}

function descriptionOf({ summary, description }: JsonObject): string {
  const [first, second] = [textOf(summary).trim(), textOf(description).trim()];
  return second.startsWith(first) ? second : [first, second].filter(Boolean).join('\n\n');
}

/**
 * Every requirement names a scheme; an empty one lets guests pass (OpenAPI 3.1.1, 4.8.30). What is no requirement lets
 * nobody pass.
 */
function needsUser(security: unknown): boolean {
  if (security === undefined || security === null) return false;
  if (!Array.isArray(security)) return true;
  return security.length > 0 && security.every((one) => !isObject(one) || Object.keys(one).length > 0);
}

/** A media type without its parameters. */
function essence(type: string): string {
  return type.replace(/\s*;.*$/s, '').toLowerCase();
}

function requestOf(method: string, operation: JsonObject, pointer: string, tools: Tools): JsonObject {
  const { references, losses } = tools;
  if (operation.requestBody === undefined) return {};
  const { content, description, required } = references.resolve(operation.requestBody);
  const here = below(pointer, 'requestBody');
  const types = Object.keys(objectOf(content));
  const taken = types.filter((type) => BODY.test(essence(type)));
  for (const type of types) if (!taken.includes(type)) losses.note(`bodies of the type ${type}`, here);
  const [first] = taken;
  if (first === undefined || method === 'GET') {
    losses.note('the body of a request', here);
    return {};
  }
  if (required !== true) losses.note('that a body may be left out', here);
  const mediaOf = (type: string): JsonObject => objectOf(objectOf(content)[type]);
  const schemaOf = (type: string): string => JSON.stringify(mediaOf(type).schema);
  for (const type of taken) {
    if (schemaOf(type) !== schemaOf(first))
      losses.note(`that bodies of the type ${type} have a schema of their own`, here);
    if (mediaOf(type).encoding !== undefined) losses.note(`"encoding" of bodies of the type ${type}`, here);
  }
  return {
    ...(typeof description === 'string' ? { request_description: description } : {}),
    content_type: [...new Set(taken.map(essence))],
    fields: shown(objectOf(objectOf(content)[first]), below(below(here, 'content'), first), tools),
  };
}

/** A status that an answer may have (RFC 9110, 15). */
const STATUS = /^[1-5]\d\d$/;

function responsesOf(operation: JsonObject, pointer: string, tools: Tools): JsonObject {
  const { references, losses } = tools;
  const here = below(pointer, 'responses');
  const named = Object.entries(objectOf(operation.responses)).filter(([name]) => !name.startsWith('x-'));
  for (const [name] of named)
    if (!STATUS.test(name)) losses.note(`the answer "${name}", which is no status`, below(here, name));
  const responses = named
    .filter(([name]) => STATUS.test(name))
    .map(([name, response]) => ({ name, code: Number(name), response: references.resolve(response) }));
  const successes = responses.filter(({ code }) => code >= 200 && code < 300);
  for (const { name, code, response } of responses) {
    if (response.headers !== undefined) losses.note('header fields of an answer', below(here, name));
    if (response.links !== undefined) losses.note('links of an answer', below(here, name));
    if (code >= ERRORS && response.content !== undefined)
      losses.note('what errors look like (they are problems, RFC 9457)', below(here, name));
  }
  const [success, ...others] = successes;
  const status = success !== undefined && isProcedureStatus(success.code) ? success.code : OK;
  if (success?.code !== status) losses.note('that 200 is no answer', here);
  for (const { name } of others.filter(({ response }) => response.content !== undefined)) {
    losses.note('how a second kind of success looks', below(here, name));
  }
  return {
    ...(status === OK ? {} : { status }),
    ...(success === undefined ? {} : answerOf(success.response, status, below(here, success.name), tools)),
    status_codes: [
      ...responses.map(({ code, response }) => ({ code, message: textOf(response.description) })),
      { code: 501, message: 'No handler is named yet.' },
    ],
  };
}

function answerOf(
  { content, description }: JsonObject,
  status: number,
  pointer: string,
  tools: Tools,
): JsonObject {
  const types = status === NO_CONTENT ? [] : Object.keys(objectOf(content));
  const json = types.find((type) => JSON_TYPE.test(essence(type)));
  // What is no JSON is an answer that its handler has to make.
  const own = json === undefined ? types.filter(isMediaType) : [];
  const first = json ?? own[0];
  for (const type of Object.keys(objectOf(content)).filter((one) => one !== json && !own.includes(one))) {
    tools.losses.note(`answers of the type ${type}`, pointer);
  }
  const schemaOf = (type: string): unknown => objectOf(objectOf(content)[type]).schema;
  for (const type of own) {
    if (!isDeepStrictEqual(schemaOf(type), schemaOf(own[0] ?? type)))
      tools.losses.note(`that answers of the type ${type} have a schema of their own`, pointer);
  }
  return {
    ...(typeof description === 'string' ? { response_description: description } : {}),
    ...(own.length === 0 ? {} : { response_type: own }),
    ...(first === undefined
      ? {}
      : {
          response: shown(objectOf(objectOf(content)[first]), below(below(pointer, 'content'), first), tools),
        }),
  };
}

/** The schema of a media type, with its example. */
function shown(
  { schema, example, examples }: JsonObject,
  pointer: string,
  { schemas, references, losses }: Tools,
): JsonObject {
  noteFurther(examples, pointer, losses);
  const first = exampleOf(example, examples, references);
  const own = schemas.own(schema, below(pointer, 'schema'));
  // In a list, as null within a map of the configuration would take a member away.
  return first === undefined ? own : { ...own, examples: [first] };
}
