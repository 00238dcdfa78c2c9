import {
  findNodeAtLocation,
  getNodeValue,
  parseTree,
  printParseErrorCode,
  type ParseError,
} from 'jsonc-parser';
import { readFile } from 'node:fs/promises';
import { errorCode } from './error-code';
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
    throw new StartError(`${shown} cannot be read (${errorCode(error)}). Make it readable for this user.`, {
      cause: error,
    });
  }
  return parseJsonFile(text.replace(/^\uFEFF/, ''), shown);
}

/** @throws StartError with line and column of a syntax error */
function parseJsonFile(text: string, shown: string): JsonFile {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error !== undefined || root === undefined) {
    const at = placeOf(text, error?.offset ?? 0);
    const what = error === undefined ? 'the file is empty' : explain(error, text);
    throw new StartError(`${shown}:${at}: not well-formed JSON: ${what}.`);
  }
  const value: unknown = getNodeValue(root);
  if (!isTree(value)) throw new StartError(`${shown}: must hold a JSON object.`);
  return {
    file: shown,
    value,
    locate(path) {
      for (let length = path.length; length >= 0; length--) {
        const node = findNodeAtLocation(root, [...path.slice(0, length)]);
        if (node !== undefined)
          return placeOf(text, (node.parent?.type === 'property' ? node.parent : node).offset);
      }
      return '1:1';
    },
  };
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
