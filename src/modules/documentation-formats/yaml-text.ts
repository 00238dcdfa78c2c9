import { unicodeEscape } from '../../framework';

/** The indentation of a level. */
const STEP = '  ';

/** For implicit keys; YAML 1.1 allows 1024 characters (7.2.3). */
const MAX_KEY_LENGTH = 1_000;

/** Words that YAML 1.1 parsers read as booleans, null or numbers. */
const WORD = /^(?:y|n|yes|no|true|false|on|off|null|nan|inf|e[-+]?\d+)$/i;

/** Text that needs no quotes. */
const PLAIN = /^[A-Za-z/$](?:[\w./$(){}[\]+=;,'"`~?!*&%@<>|\\^-]|[\u00a1-\u1fff]| (?! |$)|:(?=[\w/]))*$/;

/** Text that cannot be a literal block. */
const ODD = /[^\n -~\u00a1-\u2027\u202a-\ud7ff\ue000-\ufdff]|^\s|[ \u3000]\n|[ \u3000]$|\n\n$/;

/** Characters of JSON strings that YAML forbids, or reads as line breaks (YAML 1.2.2, 5.1 and 5.4). */
const UNPRINTABLE = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * Formats a JSON value as YAML 1.2 that YAML 1.1 parsers read the same way, without anchors, so that equal schemas
 * stay separate. Several times faster than `yaml`, and in chunks (bench/NOTES.md).
 *
 * @param document an object or a list; undefined members are omitted
 */
export function yamlText(document: object): string {
  return [...yamlChunks(document, 0)].join('');
}

/**
 * Formats in chunks, so that other requests can run in between.
 * @param levels of maps that are split: with 1, each member of the document is a chunk
 */
export function* yamlChunks(document: object, levels: number): Generator<string, void> {
  if (isEmpty(document)) yield `${Array.isArray(document) ? '[]' : '{}'}\n`;
  else yield* piecesOf(document, '', levels);
}

function* piecesOf(value: object, indent: string, levels: number): Generator<string, void> {
  if (levels === 0) {
    yield linesOf(value, indent);
    return;
  }
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) yield itemText(item, indent);
    return;
  }
  for (const [key, member] of membersOf(value)) {
    if (levels > 1 && isFilled(member)) {
      yield `${keyText(key, indent)}\n`;
      yield* piecesOf(member, indent + STEP, levels - 1);
    } else {
      yield keyText(key, indent) + valueText(member, indent);
    }
  }
}

/** Formats a non-empty value as indented lines. */
function linesOf(value: object, indent: string): string {
  let text = '';
  if (Array.isArray(value)) {
    for (const item of value as readonly unknown[]) text += itemText(item, indent);
    return text;
  }
  for (const [key, member] of membersOf(value)) text += keyText(key, indent) + valueText(member, indent);
  return text;
}

/** Maps and lists begin on the line of the dash. */
function itemText(item: unknown, indent: string): string {
  const inner = indent + STEP;
  if (isFilled(item)) return `${indent}- ${linesOf(item, inner).slice(inner.length)}`;
  return `${indent}-${valueText(item, indent)}`;
}

function keyText(key: string, indent: string): string {
  const text = lineOf(key);
  return text.length > MAX_KEY_LENGTH ? `${indent}? ${text}\n${indent}:` : `${indent}${text}:`;
}

/** Formats what follows the colon of a key or the dash of an item. */
function valueText(value: unknown, indent: string): string {
  if (isFilled(value)) return `\n${linesOf(value, indent + STEP)}`;
  if (typeof value !== 'string') return ` ${scalarOf(value)}\n`;
  if (!value.includes('\n') || ODD.test(value)) return ` ${lineOf(value)}\n`;
  const inner = indent + STEP;
  const isEnded = value.endsWith('\n');
  const lines = (isEnded ? value.slice(0, -1) : value).replace(/\n(?!\n)/g, `\n${inner}`);
  return ` ${isEnded ? '|' : '|-'}\n${inner}${lines}\n`;
}

function scalarOf(value: unknown): string {
  if (Array.isArray(value)) return '[]';
  if (typeof value === 'object' && value !== null) return '{}';
  // YAML 1.1 requires a point before an exponent.
  if (typeof value === 'number' && Number.isFinite(value)) {
    return String(value).replace(/^(-?\d+)e/, '$1.0e');
  }
  return typeof value === 'boolean' ? String(value) : 'null';
}

/** Formats text on one line. */
function lineOf(text: string): string {
  if (PLAIN.test(text) && !WORD.test(text)) return text;
  return JSON.stringify(text).replace(UNPRINTABLE, unicodeEscape);
}

function membersOf(value: object): readonly (readonly [string, unknown])[] {
  return Object.entries(value).filter(([, member]) => member !== undefined);
}

function isEmpty(value: object): boolean {
  return Array.isArray(value) ? value.length === 0 : membersOf(value).length === 0;
}

function isFilled(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !isEmpty(value);
}
