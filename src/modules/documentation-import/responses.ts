import { isDeepStrictEqual } from 'node:util';
import { objectOf, titleOf, type JsonObject } from '../../framework';
import { isMediaType, isProcedureStatus } from '../hosting';
import { childPointer, textOf } from './document/json';
import type { ImportContext } from './parameters';
import { essence, isJsonRange, schemaWithExample } from './request-body';

const JSON_TYPE = /^application\/([\w.-]+\+)?json$/;

const OK = 200;
const NO_CONTENT = 204;

/** The lowest error status. */
const ERRORS = 400;

const NOT_IMPLEMENTED = 501;

/** A status code (RFC 9110, 15). */
const STATUS = /^[1-5]\d\d$/;

/** All success statuses (OpenAPI 3.1.1, 4.8.16.2). */
const SUCCESSES = '2XX';

/** Returns the statuses of an operation, with the schemas of its responses. */
export function responsesMembers(operation: JsonObject, pointer: string, context: ImportContext): JsonObject {
  const { references, warnings } = context;
  const location = childPointer(pointer, 'responses');
  const named = Object.entries(objectOf(operation.responses)).filter(([name]) => !name.startsWith('x-'));
  const hasSuccess = named.some(([name]) => /^2\d\d$/.test(name));
  const responses = named.flatMap(([name, response]) => {
    const isRange = name === SUCCESSES && !hasSuccess;
    if (isRange || !STATUS.test(name))
      warnings.add(
        `response "${name}" is not a status code${isRange ? ' (200 is used)' : ''}`,
        childPointer(location, name),
      );
    if (!isRange && !STATUS.test(name)) return [];
    return [{ name, code: isRange ? OK : Number(name), response: references.resolve(response) }];
  });
  const successes = responses.filter(({ code }) => code >= 200 && code < 300);
  for (const { name, code, response } of responses) {
    if (response.headers !== undefined) warnings.add('response headers', childPointer(location, name));
    if (response.links !== undefined) warnings.add('response links', childPointer(location, name));
    if (code >= ERRORS && response.content !== undefined)
      warnings.add('schema of an error (errors are problem details, RFC 9457)', childPointer(location, name));
  }
  const [success, ...others] = successes;
  const status = success !== undefined && isProcedureStatus(success.code) ? success.code : OK;
  if (success?.code !== status) warnings.add('no success status (200 is used)', location);
  const usual: JsonObject =
    success === undefined
      ? {}
      : responseMembers(success.response, status, childPointer(location, success.name), context);
  const additional = new Map(
    others.map(({ name, code, response }) => {
      const hasBody = code !== NO_CONTENT && isProcedureStatus(code) && usual.response_type === undefined;
      return [code, additionalMembers(response, hasBody, childPointer(location, name), context)];
    }),
  );
  return {
    ...(status === OK ? {} : { status }),
    ...usual,
    status_codes: [
      ...responses.map(({ code, response }) => ({
        code,
        message: textOf(response.description) || (code < ERRORS ? '' : titleOf(code)),
        ...additional.get(code),
      })),
      ...(responses.some(({ code }) => code === NOT_IMPLEMENTED)
        ? []
        : [{ code: NOT_IMPLEMENTED, message: 'No handler is configured.' }]),
    ],
  };
}

function responseMembers(
  { content, description }: JsonObject,
  status: number,
  pointer: string,
  context: ImportContext,
): JsonObject {
  const types = status === NO_CONTENT ? [] : Object.keys(objectOf(content));
  const json = status === NO_CONTENT ? undefined : jsonAmong(content);
  // The handler creates responses that are not JSON.
  const own = json === undefined ? types.filter(isMediaType) : [];
  const first = json ?? own[0];
  for (const type of Object.keys(objectOf(content)).filter((one) => one !== json && !own.includes(one))) {
    context.warnings.add(`response of type ${type}`, pointer);
  }
  const schemaOf = (type: string): unknown => objectOf(objectOf(content)[type]).schema;
  for (const type of own) {
    if (!isDeepStrictEqual(schemaOf(type), schemaOf(own[0] ?? type)))
      context.warnings.add(`separate schema of responses of type ${type}`, pointer);
  }
  return {
    ...(typeof description === 'string' ? { response_description: description } : {}),
    ...(own.length === 0 ? {} : { response_type: own }),
    ...(first === undefined
      ? {}
      : {
          response: schemaWithExample(
            objectOf(objectOf(content)[first]),
            childPointer(childPointer(pointer, 'content'), first),
            context,
          ),
        }),
  };
}

/**
 * Returns the schema of an additional success status, which is JSON.
 * @param hasBody whether its body is imported: all responses of an operation have the same media types
 */
function additionalMembers(
  { content }: JsonObject,
  hasBody: boolean,
  pointer: string,
  context: ImportContext,
): JsonObject {
  const types = Object.keys(objectOf(content));
  const json = hasBody ? jsonAmong(content) : undefined;
  for (const type of types.filter((one) => one !== json))
    context.warnings.add(`response of type ${type}`, pointer);
  if (json === undefined) return {};
  const own = objectOf(objectOf(content)[json]);
  return { response: schemaWithExample(own, childPointer(childPointer(pointer, 'content'), json), context) };
}

/** Returns the type of JSON; a range with JSON if no media type is named. */
function jsonAmong(content: unknown): string | undefined {
  const types = Object.keys(objectOf(content));
  const named = types.find((type) => JSON_TYPE.test(essence(type)));
  return named ?? (types.some(isMediaType) ? undefined : types.find((type) => isJsonRange(type, content)));
}
