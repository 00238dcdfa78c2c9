import type { KeyPath } from '../values/config-object';
import { closingQuote } from './member-count';

/** A value of a text, by its number in document order. */
export type JsonNode = number;

/** Values scanned per cooperative step. */
const VALUES_PER_STEP = 2000;
/** Keys of objects with more members than this are looked up in a map. */
const MAX_COMPARED = 16;

const [QUOTE, OPEN_BRACKET, BACKSLASH, CLOSE_BRACKET, OPEN_BRACE, CLOSE_BRACE] = [34, 91, 92, 93, 123, 125];
/** Ends a number, `true`, `false` or `null`. */
const END_OF_WORD = /[\s,\]}]|$/g;

/**
 * The positions of all values of a well-formed JSON text, as a few numbers per value: a syntax tree takes ten times
 * the memory.
 */
export class JsonPositions {
  readonly #text: string;
  readonly #scan: Scan;
  readonly #members = new Map<JsonNode, ReadonlyMap<string | number, JsonNode>>();

  private constructor(text: string, scan: Scan) {
    this.#text = text;
    this.#scan = scan;
  }

  /** Scans a text that `JSON.parse` accepts, in steps. */
  static *scan(text: string): Generator<undefined, JsonPositions, void> {
    return new JsonPositions(text, yield* scan(text));
  }

  /** Returns the member of an object, or the item of a list, if it exists. */
  child(node: JsonNode, key: string | number): JsonNode | undefined {
    if (this.isList(node) !== (typeof key === 'number')) return undefined;
    const known = this.#members.get(node);
    if (known !== undefined) return known.get(key);
    let count = 0;
    for (const child of this.children(node)) {
      if (typeof key === 'number' ? count === key : this.#isNamed(child, key)) return child;
      if (++count > MAX_COMPARED) return this.#indexed(node).get(key);
    }
    return undefined;
  }

  *children(node: JsonNode): Generator<JsonNode, void, void> {
    const end = this.#scan.next[node] ?? 0;
    for (let child = node + 1; child < end; child = this.#scan.next[child] ?? end) yield child;
  }

  /** The name of a member. */
  keyOf(node: JsonNode): string {
    const start = this.start(node);
    const end = closingQuote(this.#text, start);
    const key = this.#text.slice(start + 1, end);
    return key.includes('\\') ? String(JSON.parse(this.#text.slice(start, end + 1))) : key;
  }

  isList(node: JsonNode): boolean {
    return this.#text.charCodeAt(this.valueStart(node)) === OPEN_BRACKET;
  }

  isObject(node: JsonNode): boolean {
    return this.#text.charCodeAt(this.valueStart(node)) === OPEN_BRACE;
  }

  /** The offset of a value; of a member, that of its key. */
  start(node: JsonNode): number {
    return this.#scan.starts[node] ?? 0;
  }

  valueStart(node: JsonNode): number {
    return this.#scan.values[node] ?? 0;
  }

  /** The offset after a value. */
  end(node: JsonNode): number {
    return this.#scan.ends[node] ?? 0;
  }

  /** Finds the value at a path, or its nearest existing ancestor. */
  closest(path: KeyPath): JsonNode {
    let node = 0;
    for (const key of path) {
      const child = this.child(node, key);
      if (child === undefined) return node;
      node = child;
    }
    return node;
  }

  /** `line:column` of a value, from 1. */
  format(node: JsonNode): string {
    const offset = this.start(node);
    let [low, high] = [0, this.#scan.lines.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#scan.lines[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return `${low}:${offset - (this.#scan.lines[low - 1] ?? 0) + 1}`;
  }

  /** Compares first characters first: most names differ there. */
  #isNamed(node: JsonNode, key: string): boolean {
    const first = this.#text.charCodeAt(this.start(node) + 1);
    const isPossible = key === '' || first === key.charCodeAt(0) || first === BACKSLASH;
    return isPossible && this.keyOf(node) === key;
  }

  #indexed(node: JsonNode): ReadonlyMap<string | number, JsonNode> {
    const isList = this.isList(node);
    const members = new Map<string | number, JsonNode>();
    for (const child of this.children(node)) members.set(isList ? members.size : this.keyOf(child), child);
    this.#members.set(node, members);
    return members;
  }
}

/** By the number of each value. */
interface Scan {
  /** The start offset; of a member, that of its key. */
  readonly starts: number[];
  /** The start offset of the value itself. */
  readonly values: number[];
  readonly ends: number[];
  /** The number of the first value after it and its descendants. */
  readonly next: number[];
  /** The offset of each line. */
  readonly lines: number[];
}

function* scan(text: string): Generator<undefined, Scan, void> {
  const { starts, values, ends, next, lines }: Scan = {
    starts: [],
    values: [],
    ends: [],
    next: [],
    lines: [0],
  };
  const open: JsonNode[] = [];
  let key = -1;
  const begin = (at: number): JsonNode => {
    starts.push(key < 0 ? at : key);
    values.push(at);
    ends.push(at);
    next.push(0);
    key = -1;
    return values.length - 1;
  };
  const end = (node: JsonNode, at: number): number => {
    ends[node] = at;
    next[node] = values.length;
    return at;
  };
  for (let at = 0; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === 10) lines.push(++at);
    else if (isBetween(code)) at++;
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) at = end(open.pop() ?? 0, at + 1);
    else if (code === QUOTE && key < 0 && text.charCodeAt(values[open.at(-1) ?? 0] ?? 0) === OPEN_BRACE) {
      key = at;
      at = closingQuote(text, at) + 1;
    } else {
      const node = begin(at);
      if (code === OPEN_BRACE || code === OPEN_BRACKET) {
        open.push(node);
        at++;
      } else at = end(node, code === QUOTE ? closingQuote(text, at) + 1 : endOfWord(text, at));
      if (node % VALUES_PER_STEP === 0) yield;
    }
  }
  return { starts, values, ends, next, lines };
}

/** White space, comma, colon. */
function isBetween(code: number): boolean {
  return code === 32 || code === 9 || code === 13 || code === 44 || code === 58;
}

function endOfWord(text: string, from: number): number {
  END_OF_WORD.lastIndex = from;
  return END_OF_WORD.exec(text)?.index ?? text.length;
}
