import { findNodeAtLocation, parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code';
import { parsedMembers, writtenMembers } from './member-count';
import { StartError } from './start-error';
import { isTree, type ConfigTree, type KeyPath } from './tree';

/** A JSON file with the places of its values, for messages. */
export interface JsonFile {
  readonly file: string;
  readonly value: ConfigTree;
  /** `line:column`, both from 1, of the value at a path, or of its nearest ancestor. */
  locate(path: KeyPath): string;
}

/**
 * Reads a JSON file that holds an object.
 * @param shown how messages name the file
 * @returns undefined when there is no such file
 * @throws StartError with line and column of a syntax error, or when the file cannot be read
 */
export async function readJsonFile(file: string, shown: string): Promise<JsonFile | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    const advice =
      errorCode(error) === 'EISDIR'
        ? 'There is a folder where the file should be: move it away.'
        : 'Make it readable for this user.';
    throw new StartError(`${shown} cannot be read (${errorCode(error)}). ${advice}`, { cause: error });
  }
  return parseJsonText(text, shown);
}

/**
 * What a configuration file says, without `$schema`, which is for editors.
 * @param shown how messages name the file
 * @throws StartError with line and column of a syntax error
 */
export function parseConfiguration(text: string, shown = 'config/autoload/local.json'): ConfigTree {
  return withoutSchemaName(parseJsonText(text, shown).value);
}

export function withoutSchemaName(tree: ConfigTree): ConfigTree {
  return Object.fromEntries(Object.entries(tree).filter(([key]) => key !== '$schema'));
}

/**
 * The JSON object that a text holds, with the places of its values. Places are looked up when they are first asked
 * for: of megabytes, a tree with the place of everything costs far more than the value itself.
 * @throws StartError with line and column of a syntax error, or of a key that stands twice
 */
export function parseJsonText(marked: string, shown: string): JsonFile {
  const text = marked.replace(/^\uFEFF/, '');
  const value = soundValue(text, shown);
  if (!isTree(value)) throw new StartError(`${shown}: must hold a JSON object.`);
  let root: Node | undefined;
  return {
    file: shown,
    value,
    locate(path) {
      root ??= placesOf(text, shown);
      for (let length = path.length; length >= 0; length--) {
        const node = findNodeAtLocation(root, [...path.slice(0, length)]);
        if (node !== undefined)
          return placeOf(text, (node.parent?.type === 'property' ? node.parent : node).offset);
      }
      return '1:1';
    },
  };
}

/** @throws StartError as `parseJsonText` */
function soundValue(text: string, shown: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (parsedMembers(value) === writtenMembers(text)) return value;
  } catch {
    // Said below, with its place.
  }
  placesOf(text, shown);
  throw new StartError(`${shown}: not well-formed JSON.`);
}

/** @throws StartError as `parseJsonText` */
function placesOf(text: string, shown: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const at = placeOf(text, error?.offset ?? 0);
    const what = error === undefined ? 'the file is empty' : explain(error, text);
    throw new StartError(`${shown}:${at}: not well-formed JSON: ${what}.`);
  }
  const twice = keyStandingTwice(root);
  if (twice !== undefined) {
    throw new StartError(
      `${shown}:${placeOf(text, twice.offset)}: the key ${text.slice(twice.offset, twice.offset + twice.length)} stands here a second time. Keep one of the two.`,
    );
  }
  return root;
}

/** The second of two equal keys of one map: parsers differ in which of them counts. */
function keyStandingTwice(node: Node): Node | undefined {
  const keys = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key] = child.type === 'property' ? (child.children ?? []) : [];
    if (key !== undefined && keys.has(key.value)) return key;
    if (key !== undefined) keys.add(key.value);
    const below = keyStandingTwice(child);
    if (below !== undefined) return below;
  }
  return undefined;
}

function placeOf(text: string, offset: number): string {
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
