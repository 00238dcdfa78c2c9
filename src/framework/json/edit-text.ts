import { runSync, type Steps } from '../values/steps';
import { parseJsonText, type JsonFile } from './json-file';
import { JsonPositions, type JsonNode } from './json-positions';
import { detectLayout, printValue, type JsonLayout } from './print-value';
import type { ConfigValue, KeyPath } from '../values/config-object';

/**
 * Sets the value at a path of a configuration file; undefined deletes the key, null removes the value of lower
 * layers.
 */
export interface ConfigEdit {
  readonly path: KeyPath;
  readonly value: ConfigValue | undefined;
}

/**
 * Applies edits to the text of a configuration file. Creates missing parents. Preserves the order of keys, the layout,
 * and every byte that is not edited; new values are formatted like the rest.
 *
 * @param text undefined for a new file
 * @throws ConfigurationError if the text is not a valid configuration file
 */
export function editText(text: string | undefined, edits: readonly ConfigEdit[]): string {
  const before = text ?? EMPTY;
  return runSync(editInSteps(before, parseJsonText(before, LOCAL_NAME), edits));
}

/** The content of a new file. */
const EMPTY = '{}\n';

/** The file name for messages. */
const LOCAL_NAME = 'config/autoload/local.json';

/** The same in steps, for a text of megabytes. @param file the parsed text */
export function* editInSteps(text: string, file: JsonFile, edits: readonly ConfigEdit[]): Steps<string> {
  const mark = text.startsWith('\uFEFF') ? '\uFEFF' : '';
  let result = text.slice(mark.length);
  for (const [at, batch] of batchesOf(edits).entries()) {
    const positions = yield* at === 0 ? file.positions() : JsonPositions.scan(result);
    result = applyBatch(result, positions, batch);
    yield;
  }
  return mark + result;
}

/** The edits of a value: either the value itself or its members are set or removed. */
interface ValueEdit {
  change: { readonly value: ConfigValue | undefined } | undefined;
  readonly members: Map<string | number, ValueEdit>;
}

/** Groups edits that do not overlap, so that the text is parsed once per group. */
function batchesOf(edits: readonly ConfigEdit[]): readonly ValueEdit[] {
  const batches: ValueEdit[] = [];
  let isOpen = false;
  for (const { path, value } of edits) {
    const batch = isOpen ? batches.at(-1) : undefined;
    if (batch === undefined || !addEdit(batch, path, value)) {
      const next = emptyEdit();
      addEdit(next, path, value);
      batches.push(next);
    }
    // Removing a list item changes the indices of those after it.
    isOpen = value !== undefined || typeof path.at(-1) !== 'number';
  }
  return batches;
}

function emptyEdit(): ValueEdit {
  return { change: undefined, members: new Map() };
}

/** @returns false if an edit of the batch has the same path, or one inside or around it */
function addEdit(batch: ValueEdit, path: KeyPath, value: ConfigValue | undefined): boolean {
  let edit = batch;
  for (const key of path) {
    if (edit.change !== undefined) return false;
    const member = edit.members.get(key) ?? emptyEdit();
    edit.members.set(key, member);
    edit = member;
  }
  if (edit.change !== undefined || edit.members.size > 0) return false;
  edit.change = { value };
  return true;
}

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

function applyBatch(text: string, positions: JsonPositions, batch: ValueEdit): string {
  const splices = [...new TextEdit(text, positions).splices(0, batch)].sort((a, b) => a.from - b.from);
  let [result, at] = ['', 0];
  for (const { from, to, text: replacement } of splices) {
    result += text.slice(at, from) + replacement;
    at = to;
  }
  return result + text.slice(at);
}

/** Turns the edits of a batch into replacements in a text. */
class TextEdit {
  readonly #text: string;
  readonly #positions: JsonPositions;
  readonly #layout: JsonLayout;

  constructor(text: string, positions: JsonPositions) {
    this.#text = text;
    this.#positions = positions;
    this.#layout = detectLayout(text);
  }

  *splices(node: JsonNode, { change, members }: ValueEdit): Generator<Splice, void, void> {
    if (change !== undefined) yield this.#replacement(node, change.value === undefined ? {} : change.value);
    else if (this.#isContainerOf(node, members)) yield* this.#memberSplices(node, members);
    else {
      // A value of another type is replaced.
      const value = newValue({ change, members });
      if (value !== undefined) yield this.#replacement(node, value);
    }
  }

  /** Returns whether a value is an object with named members, or a list with indexed ones. */
  #isContainerOf(node: JsonNode, members: ValueEdit['members']): boolean {
    const isList = this.#positions.isList(node);
    if (!isList && !this.#positions.isObject(node)) return false;
    return [...members.keys()].every((key) => (typeof key === 'number') === isList);
  }

  *#memberSplices(node: JsonNode, members: ValueEdit['members']): Generator<Splice, void, void> {
    const removed = new Set<JsonNode>();
    const added: (readonly [string | number, ConfigValue])[] = [];
    for (const [key, edit] of members) {
      const child = this.#positions.child(node, key);
      const value = newValue(edit);
      if (child === undefined) {
        if (value !== undefined) added.push([key, value]);
      } else if (edit.change !== undefined && edit.change.value === undefined) removed.add(child);
      else yield* this.splices(child, edit);
    }
    const children = removed.size + added.length === 0 ? [] : [...this.#positions.children(node)];
    let last = children.length - 1;
    while (removed.has(children[last] ?? -1)) last--;
    if (last < 0 && removed.size + added.length > 0) yield this.#newContent(node, added);
    else if (children.length > 0) yield* this.#removals(children, last, removed, added);
  }

  /** Replaces all members of an object or list. */
  #newContent(node: JsonNode, added: readonly (readonly [string | number, ConfigValue])[]): Splice {
    const [from, to] = [this.#positions.valueStart(node) + 1, this.#positions.end(node) - 1];
    const { unit, eol, space } = this.#layout;
    if (added.length === 0) return { from, to, text: '' };
    if (unit === '') return { from, to, text: added.map((one) => this.#member(one, '')).join(`,${space}`) };
    const outer = indentAt(this.#text, from - 1);
    const inner = outer + unit;
    const text = added.map((one) => eol + inner + this.#member(one, inner)).join(',');
    return { from, to, text: text + eol + outer };
  }

  /** @param last the index of the last member that is kept; added members follow it */
  *#removals(
    children: readonly JsonNode[],
    last: number,
    removed: ReadonlySet<JsonNode>,
    added: readonly (readonly [string | number, ConfigValue])[],
  ): Generator<Splice, void, void> {
    const start = (at: number): number => this.#positions.start(children[at] ?? 0);
    const end = (at: number): number => this.#positions.end(children[at] ?? 0);
    for (let at = 0; at < last; at++) {
      if (removed.has(children[at] ?? 0)) yield { from: start(at), to: start(at + 1), text: '' };
    }
    const [from, to] = [end(last), end(children.length - 1)];
    const indent = lineStart(this.#text, start(last));
    const inner = indent ?? indentAt(this.#text, start(last));
    const before = `,${indent === undefined ? this.#layout.space : this.#layout.eol + indent}`;
    const text = added.map((one) => before + this.#member(one, inner)).join('');
    if (text !== '' || to > from) yield { from, to, text };
  }

  #member([key, value]: readonly [string | number, ConfigValue], indent: string): string {
    const name = typeof key === 'number' ? '' : `${JSON.stringify(key)}:${this.#layout.space}`;
    return name + printValue(value, this.#layout, indent);
  }

  #replacement(node: JsonNode, value: ConfigValue): Splice {
    const from = this.#positions.valueStart(node);
    const text = printValue(value, this.#layout, indentAt(this.#text, from));
    return { from, to: this.#positions.end(node), text };
  }
}

/** Returns the new value for a missing member; undefined if the edit sets nothing. */
function newValue({ change, members }: ValueEdit): ConfigValue | undefined {
  if (change !== undefined) return change.value;
  const values = [...members].flatMap(([key, edit]): [string | number, ConfigValue][] => {
    const value = newValue(edit);
    return value === undefined ? [] : [[key, value]];
  });
  const [first] = values;
  if (first === undefined) return undefined;
  if (typeof first[0] === 'number') return values.map(([, value]) => value);
  return Object.fromEntries(values);
}

/** The indentation of the line of an offset. */
function indentAt(text: string, offset: number): string {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, offset))?.[0] ?? '';
}

/** The indentation before an offset, if it is the first token of its line. */
function lineStart(text: string, offset: number): string | undefined {
  const line = text.lastIndexOf('\n', offset - 1) + 1;
  const before = text.slice(line, offset);
  return line > 0 && before.trim() === '' ? before : undefined;
}
