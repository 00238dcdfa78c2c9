import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { systemErrorCode } from '../errors/system-error-code';
import { JsonPositions } from './json-positions';
import { assertWellFormed, formatPosition } from './json-syntax-error';
import { countWrittenMembers, inspectParsed, isNestedDeeperThan } from './member-count';
import { ConfigurationError } from '../errors/configuration-error';
import { describeValue } from '../text/describe-value';
import { runSync, type Steps } from '../values/steps';
import {
  isObject,
  parseJson,
  type ConfigValue,
  type ConfigObject,
  type KeyPath,
} from '../values/config-object';

/** A JSON file with the positions of its values, for messages. */
export interface JsonFile {
  readonly file: string;
  readonly value: ConfigObject;
  /** Returns `line:column`, from 1, of the value at a path, or of its nearest ancestor. */
  locate(path: KeyPath): string;
  /** Returns the positions of all values; scanned on first use, in cooperative steps. */
  positions(): Generator<undefined, JsonPositions, void>;
}

/** Parses the content of a file; `shown` is its name for messages. */
export type ParseJson = (content: string | Buffer, shown: string) => JsonFile | PromiseLike<JsonFile>;

/** What to do about a file that cannot be read, by system error code. */
const ADVICE: Readonly<Record<string, string>> = {
  EISDIR: 'It is a folder: move it away, and create a file.',
  ENOTDIR: 'A part of its path is a file, not a folder: correct the path, or move that file away.',
  ELOOP: 'Its symbolic links form a loop: correct them.',
};

/**
 * Reads a JSON file that contains an object.
 * @param shown the file name for messages
 * @returns undefined if the file does not exist
 * @throws ConfigurationError with line and column of a syntax error or of a byte that is not UTF-8, or if the file
 *   cannot be read
 */
export async function readJsonFile(
  file: string,
  shown: string,
  parse: ParseJson = parseContent,
): Promise<JsonFile | undefined> {
  let content: Buffer;
  try {
    content = await readFile(file);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'ENOENT') return undefined;
    const advice = ADVICE[code] ?? 'Make it readable for this user.';
    throw new ConfigurationError(`${shown} cannot be read (${code}). ${advice}`, { cause: error });
  }
  return await parse(content, shown);
}

/** @throws ConfigurationError with line and column of the first byte that is not UTF-8, which decoding would replace */
export function decodeJson(content: string | Buffer, shown: string): string {
  if (typeof content === 'string') return content;
  const text = content.toString('utf8');
  if (isUtf8(content)) return text;
  let [at, bytes] = [0, 0];
  for (const char of text) {
    const length = Buffer.byteLength(char);
    if (content.toString('latin1', bytes, bytes + length) !== Buffer.from(char).toString('latin1')) break;
    at += char.length;
    bytes += length;
  }
  const byte = (content[bytes] ?? 0).toString(16).padStart(2, '0');
  throw new ConfigurationError(
    `${shown}:${formatPosition(text, at)}: the byte 0x${byte} is not UTF-8. Save the file as UTF-8.`,
  );
}

/**
 * Parses a configuration file, without `$schema`, which is for editors.
 * @param shown the file name for messages
 * @throws ConfigurationError with line and column of a syntax error
 */
export function parseConfiguration(text: string, shown = 'config/autoload/local.json'): ConfigObject {
  return withoutSchemaKey(parseJsonText(text, shown).value);
}

export function withoutSchemaKey(tree: ConfigObject): ConfigObject {
  return Object.fromEntries(Object.entries(tree).filter(([key]) => key !== '$schema'));
}

/** Parses the content of a file at once. @throws ConfigurationError as {@link readJsonFile} */
export const parseContent: ParseJson = (content, shown) => parseJsonText(decodeJson(content, shown), shown);

/**
 * Parses a JSON object with the positions of its values. Positions are computed on first use: for megabytes, a syntax
 * tree costs far more than the value itself.
 * @throws ConfigurationError with line and column of a syntax error, or of a duplicate key
 */
export function parseJsonText(marked: string, shown: string): JsonFile {
  return runSync(parseJsonInSteps(marked, shown));
}

/** The same in steps, for a text of megabytes. @param adapt converts the value, in further steps */
export function* parseJsonInSteps(
  marked: string,
  shown: string,
  adapt?: (value: ConfigObject) => Steps<ConfigObject>,
): Steps<JsonFile> {
  const text = marked.replace(/^\uFEFF/, '');
  const parsed = yield* parseStrict(text, shown);
  const value = adapt === undefined || !isObject(parsed) ? parsed : yield* adapt(parsed);
  if (!isObject(value)) {
    const at = formatPosition(text, text.search(/\S/));
    throw new ConfigurationError(
      `${shown}:${at}: is ${describeValue(value)}, but must contain a JSON object, such as {}.`,
    );
  }
  let known: JsonPositions | undefined;
  function* positions(): Generator<undefined, JsonPositions, void> {
    known ??= yield* JsonPositions.scan(text);
    return known;
  }
  return {
    file: shown,
    value,
    positions,
    locate(path) {
      const steps = positions();
      for (; known === undefined; steps.next());
      return known.format(known.closest(path));
    },
  };
}

/** Levels of objects and lists: some thousands would overflow the stack of what reads a configuration. */
const MAX_DEPTH = 1_000;

function nestedTooDeep(shown: string): ConfigurationError {
  return new ConfigurationError(
    `${shown}: objects and lists are nested more than ${MAX_DEPTH} levels deep. Nest them less.`,
  );
}

/** @throws ConfigurationError as `parseJsonText`, and for a value that is nested too deep */
function* parseStrict(text: string, shown: string): Steps<ConfigValue> {
  // Also of malformed text: a few thousand would overflow the stack of what finds the position of a syntax error.
  if (isNestedDeeperThan(MAX_DEPTH, text)) throw nestedTooDeep(shown);
  yield;
  // A syntax error is reported later, with its position.
  const value = parseJson(text) as ConfigValue | undefined;
  yield;
  if (value !== undefined) {
    const { members: count } = inspectParsed(value);
    yield;
    if (count === countWrittenMembers(text)) return value;
  }
  try {
    assertWellFormed(text, shown);
  } catch (error) {
    // Malformed text may be nested deeper than it seems: after quotation marks in comments, for example.
    throw error instanceof RangeError ? nestedTooDeep(shown) : error;
  }
  throw new ConfigurationError(`${shown}: not well-formed JSON.`);
}
