import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { readFile } from 'node:fs/promises';
import { systemErrorCode } from '../errors/system-error-code';
import { JsonPositions } from './json-positions';
import { countParsedMembers, countWrittenMembers } from './member-count';
import { ConfigurationError } from '../errors/configuration-error';
import { isObject, type ConfigValue, type ConfigObject, type KeyPath } from '../values/config-object';

/** A JSON file with the positions of its values, for messages. */
export interface JsonFile {
  readonly file: string;
  readonly value: ConfigObject;
  /** Returns `line:column`, from 1, of the value at a path, or of its nearest ancestor. */
  locate(path: KeyPath): string;
  /** Returns the positions of all values; scanned on first use, in cooperative steps. */
  positions(): Generator<undefined, JsonPositions, void>;
}

/**
 * Reads a JSON file that contains an object.
 * @param shown the file name for messages
 * @returns undefined if the file does not exist
 * @throws ConfigurationError with line and column of a syntax error, or if the file cannot be read
 */
export async function readJsonFile(
  file: string,
  shown: string,
  parse: (text: string, shown: string) => JsonFile = parseJsonText,
): Promise<JsonFile | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    const advice =
      systemErrorCode(error) === 'EISDIR'
        ? 'A folder has its name: move the folder away.'
        : 'Make it readable for this user.';
    throw new ConfigurationError(`${shown} cannot be read (${systemErrorCode(error)}). ${advice}`, {
      cause: error,
    });
  }
  return parse(text, shown);
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

/**
 * Parses a JSON object with the positions of its values. Positions are computed on first use: for megabytes, a syntax
 * tree costs far more than the value itself.
 * @throws ConfigurationError with line and column of a syntax error, or of a duplicate key
 */
export function parseJsonText(marked: string, shown: string): JsonFile {
  const text = marked.replace(/^\uFEFF/, '');
  const value = parseStrict(text, shown);
  if (!isObject(value)) throw new ConfigurationError(`${shown}: must contain a JSON object.`);
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

/** @throws ConfigurationError as `parseJsonText` */
function parseStrict(text: string, shown: string): ConfigValue {
  try {
    const value = JSON.parse(text) as ConfigValue;
    if (countParsedMembers(value) === countWrittenMembers(text)) return value;
  } catch {
    // Reported below, with its position.
  }
  parseNodes(text, shown);
  throw new ConfigurationError(`${shown}: not well-formed JSON.`);
}

/** @throws ConfigurationError as `parseJsonText` */
function parseNodes(text: string, shown: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const at = formatPosition(text, error?.offset ?? 0);
    const reason = error === undefined ? 'the file is empty' : explain(error, text);
    throw new ConfigurationError(`${shown}:${at}: not well-formed JSON: ${reason}.`);
  }
  const duplicate = duplicateKey(root);
  if (duplicate !== undefined) {
    const { offset, length } = duplicate;
    throw new ConfigurationError(
      `${shown}:${formatPosition(text, offset)}: the key ${text.slice(offset, offset + length)} is a duplicate. Remove one of the two.`,
    );
  }
  return root;
}

/** Finds the second of two equal keys of one object: parsers differ in which one takes precedence. */
function duplicateKey(node: Node): Node | undefined {
  const keys = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key] = child.type === 'property' ? (child.children ?? []) : [];
    if (key !== undefined && keys.has(key.value)) return key;
    if (key !== undefined) keys.add(key.value);
    const nested = duplicateKey(child);
    if (nested !== undefined) return nested;
  }
  return undefined;
}

function formatPosition(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}

/** `CommaExpected` → `comma expected, found "port"` */
function explain(error: ParseError, text: string): string {
  const words = printParseErrorCode(error.error)
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase();
  const found = text.slice(error.offset, error.offset + Math.min(error.length, 40));
  return found === '' ? `${words}, but the file ends` : `${words}, found ${found}`;
}
