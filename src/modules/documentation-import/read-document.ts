import { YAMLError, parse } from 'yaml';
import { parsedMembers, parseJsonText, printable, StartError, writtenMembers } from '../../framework';
import { excerpt } from './excerpt';
import { isObject, type JsonObject } from './json';

/** Nobody writes deeper; what is deeper was made to harm. */
const DEEPEST = 200;

/**
 * An OpenAPI 3.0 or 3.1 document from JSON or YAML.
 * @param name of the file, for messages
 * @throws StartError for text that is neither, for what is no OpenAPI 3, and for YAML that holds itself or explodes
 */
export function readDocument(text: string, name: string): JsonObject {
  const document = parsed(text.replace(/^\uFEFF/, ''), name);
  assertFinite(document, name);
  if (!isObject(document)) throw noOpenapi(name, 'it is no object');
  const { openapi, swagger } = document;
  if (swagger !== undefined) {
    throw noOpenapi(name, `it is Swagger ${excerpt(JSON.stringify(swagger))}. Convert it to OpenAPI 3 first`);
  }
  if (openapi === undefined) throw noOpenapi(name, 'it has no member "openapi"');
  if (typeof openapi === 'number') {
    throw noOpenapi(name, `its version is the number ${openapi}. Write it in full and in quotes, as "3.1.1"`);
  }
  if (typeof openapi !== 'string' || !/^3\.[01]\.\d+/.test(openapi)) {
    throw noOpenapi(name, `its version is ${excerpt(JSON.stringify(openapi))}`);
  }
  if (!isObject(document.paths)) throw noOpenapi(name, 'it has no paths');
  return document;
}

function noOpenapi(name: string, reason: string): StartError {
  return new StartError(`${printable(name)} is no OpenAPI 3.0 or 3.1 document: ${reason}.`);
}

function parsed(text: string, name: string): unknown {
  const isJson = /^\s*[{[]/.test(text);
  try {
    // Aliases that multiply are refused by the parser, before anything is made of them.
    return isJson ? parsedJson(text, name) : parse(text, { logLevel: 'error' });
  } catch (error) {
    if (error instanceof StartError) throw error;
    const kind = isJson ? 'JSON' : 'YAML';
    const hint = error instanceof YAMLError || isJson ? '' : ' Write out what its aliases stand for.';
    const reason = excerpt(reasonOf(error).replace(/[.:]$/, ''));
    throw new StartError(`${printable(name)} cannot be read as ${kind}: ${reason}.${hint}`, { cause: error });
  }
}

/** @throws StartError for a member that comes twice: parsers differ in which of the two counts */
function parsedJson(text: string, name: string): unknown {
  const value: unknown = JSON.parse(text);
  return parsedMembers(value) === writtenMembers(text) ? value : parseJsonText(text, printable(name)).value;
}

/** What a parser says, in one line; it advises those who program with it. */
function reasonOf(error: unknown): string {
  if (error instanceof YAMLError && error.code === 'MULTIPLE_DOCS')
    return 'it holds several documents, with a line "---" between them. Keep one of them in the file';
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

/** An alias of YAML may make a value hold itself. */
function assertFinite(value: unknown, name: string, around: readonly unknown[] = []): void {
  if (typeof value !== 'object' || value === null) return;
  if (around.includes(value)) throw new StartError(`${name} holds itself, by an alias of YAML.`);
  if (around.length > DEEPEST) throw new StartError(`${name} is nested deeper than ${DEEPEST} levels.`);
  for (const member of Object.values(value)) assertFinite(member, name, [...around, value]);
}
