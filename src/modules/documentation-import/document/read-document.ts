import { LineCounter, YAMLError, isAlias, isScalar, parseDocument, visit, type Pair } from 'yaml';
import {
  type JsonObject,
  isObject,
  jsonSyntaxErrorOf,
  parseJsonText,
  positionAt,
  printable,
  ConfigurationError,
  countWrittenMembers,
  errorMessage,
  inspectParsed,
} from '../../../framework';
import { expandAliases } from './aliases';
import { fromSwagger } from './from-swagger';
import { excerpt } from './json';

/**
 * Parses an OpenAPI 3.0 or 3.1 document from JSON or YAML. Swagger 2.0 is converted to OpenAPI 3.0.
 * @param name of the file, for messages
 * @throws ConfigurationError for invalid text, for other documents, and for YAML with circular or exploding aliases
 */
export function readDocument(text: string, name: string): JsonObject {
  const content = text.replace(/^\uFEFF/, '');
  const isJson = /^\s*[{[]/.test(content) && !isFlowYaml(content, name);
  const document = parseText(content, name, isJson);
  expandAliases(document, name, !isJson);
  if (!isObject(document)) throw notOpenapi(name, 'it is not an object');
  const { openapi, swagger } = document;
  if (swagger === '2.0') {
    if (!isObject(document.paths)) throw notOpenapi(name, 'it has no paths');
    return fromSwagger(document);
  }
  if (swagger !== undefined) {
    throw notOpenapi(
      name,
      `it is Swagger ${excerpt(JSON.stringify(swagger))}. The member "swagger" of version 2.0 is the text "2.0"`,
    );
  }
  if (openapi === undefined) throw notOpenapi(name, 'it has no member "openapi"');
  if (typeof openapi === 'number') {
    throw notOpenapi(
      name,
      `its version is the number ${openapi}. Write it in full and in quotes, as "3.1.1"`,
    );
  }
  if (typeof openapi !== 'string' || !/^3\.[01]\.\d+/.test(openapi)) {
    throw notOpenapi(name, `its version is ${excerpt(JSON.stringify(openapi))}`);
  }
  if (!isObject(document.paths)) throw notOpenapi(name, 'it has no paths');
  return document;
}

function notOpenapi(name: string, reason: string): ConfigurationError {
  return new ConfigurationError(
    `${printable(name)} is not an OpenAPI 3.0 or 3.1 document, and not Swagger 2.0: ${reason}.`,
  );
}

/** Whether text that begins as JSON does is YAML in flow style, such as `{openapi: 3.1.0}`, in a file that is named so. */
function isFlowYaml(text: string, name: string): boolean {
  if (!/\.ya?ml$/i.test(name)) return false;
  try {
    JSON.parse(text);
    return false;
  } catch {
    return true;
  }
}

function parseText(text: string, name: string, isJson: boolean): unknown {
  try {
    return isJson ? parseUniqueJson(text, name) : parseYaml(text, name);
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const kind = isJson ? 'JSON' : 'YAML';
    const reason = excerpt(reasonOf(error).replace(/[.:]$/, ''));
    throw new ConfigurationError(`${printable(name)} cannot be read as ${kind}: ${reason}.`, {
      cause: error,
    });
  }
}

/** Aliases of a document at most: the parser searches all anchors for each. */
const MAX_ALIASES = 5_000;

/** @throws YAMLError; ConfigurationError for too many aliases */
function parseYaml(text: string, name: string): unknown {
  const lineCounter = new LineCounter();
  // Its own search for equal keys compares each key with all others of its object.
  const document = parseDocument(text, { logLevel: 'error', uniqueKeys: false, lineCounter });
  const [error] = document.errors;
  if (error !== undefined) throw error;
  let aliases = 0;
  const anchors = new Map<string, unknown>();
  const objects: (readonly Pair[])[] = [];
  visit(document, {
    Alias: () => {
      aliases += 1;
    },
    Scalar: (_, { anchor, value }) => {
      if (anchor !== undefined) anchors.set(anchor, value);
    },
    Map: (_, { items }) => {
      objects.push(items);
    },
  });
  for (const items of objects) assertUniqueKeys(items, lineCounter, anchors);
  if (aliases > MAX_ALIASES)
    throw new ConfigurationError(
      `${printable(name)} has ${aliases.toLocaleString('en')} YAML aliases, and ${MAX_ALIASES.toLocaleString('en')} at most are read. Replace them with a "$ref".`,
    );
  // Its own limit of aliases would be 100 uses of one anchor, such as the errors of all operations.
  return document.toJS({ maxAliasCount: -1 });
}

/**
 * @param anchors the scalars that aliases refer to
 * @throws Error for two keys that become the same member of an object, such as 200 and "200"
 */
function assertUniqueKeys(
  items: readonly Pair[],
  lineCounter: LineCounter,
  anchors: ReadonlyMap<string, unknown>,
): void {
  const known = new Set<string>();
  for (const { key } of items) {
    if (!isScalar(key) && !isAlias(key)) continue;
    const value = isAlias(key) ? anchors.get(key.source) : key.value;
    const name = memberName(value);
    if (name === undefined) continue;
    if (known.has(name)) {
      const { line, col } = lineCounter.linePos(key.range?.[0] ?? 0);
      throw new Error(`Map keys must be unique at line ${line}, column ${col}`);
    }
    known.add(name);
  }
}

/** Returns the name of the member that a key becomes; undefined for a date or other data, which YAML 1.2 does not have. */
function memberName(key: unknown): string | undefined {
  if (key === null) return '';
  return typeof key === 'string' || typeof key === 'number' || typeof key === 'boolean'
    ? String(key)
    : undefined;
}

/** @throws Error with line and column, which the messages of `JSON.parse` do not always have */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const found = jsonSyntaxErrorOf(text);
    if (found === undefined) throw error;
    const { line, column } = positionAt(text, found.offset);
    throw new Error(`${found.reason} at line ${line}, column ${column}`, { cause: error });
  }
}

/** @throws ConfigurationError for duplicate members: parsers differ in which one they keep */
function parseUniqueJson(text: string, name: string): unknown {
  const value = parseJson(text);
  return inspectParsed(value).members === countWrittenMembers(text)
    ? value
    : parseJsonText(text, printable(name)).value;
}

/** Returns the first line of the parser's message, which is for users. */
function reasonOf(error: unknown): string {
  if (error instanceof Error && error.message.startsWith('Maximum call stack'))
    return 'it is nested too deeply';
  if (error instanceof YAMLError && error.code === 'MULTIPLE_DOCS')
    return 'it contains several documents, separated by "---". Keep one of them in the file';
  return errorMessage(error).split('\n')[0] ?? '';
}
