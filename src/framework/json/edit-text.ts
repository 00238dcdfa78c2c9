import { findNodeAtLocation, parseTree, type Node } from 'jsonc-parser';
import { parseConfiguration } from './json-file';
import { detectLayout, printValue, type JsonLayout } from './print-value';
import type { ConfigValue, KeyPath } from '../values/config-object';

/**
 * Sets the value at a path of a configuration file; undefined deletes the key, null removes the value of lower layers.
 */
export interface ConfigEdit {
  readonly path: KeyPath;
  readonly value: ConfigValue | undefined;
}

/**
 * Applies edits to the text of a configuration file. Creates missing parents. Keeps the order of keys, the layout, and
 * everything else that is not edited, to the byte; new values are formatted like the rest.
 *
 * @param text undefined for a new file
 * @throws ConfigurationError when the text is no valid configuration
 */
export function editText(text: string | undefined, edits: readonly ConfigEdit[]): string {
  const before = text ?? '{}\n';
  parseConfiguration(before);
  const mark = before.startsWith('\uFEFF') ? '\uFEFF' : '';
  return mark + edits.reduce(applyEdit, before.slice(mark.length));
}

function applyEdit(text: string, { path, value }: ConfigEdit): string {
  const root = parseTree(text);
  if (root === undefined) throw new TypeError('An edit produced malformed JSON.');
  return value === undefined ? removeAt(text, root, path) : setAt(text, root, path, value);
}

function setAt(text: string, root: Node, path: KeyPath, value: ConfigValue): string {
  const layout = detectLayout(text);
  const node = findNodeAtLocation(root, [...path]);
  if (node !== undefined) return replaceNode(text, node, value, layout);
  let depth = path.length - 1;
  let holder = findNodeAtLocation(root, path.slice(0, depth));
  while (holder === undefined) holder = findNodeAtLocation(root, path.slice(0, --depth));
  const key = path[depth] ?? '';
  const nested = path.slice(depth + 1).reduceRight<ConfigValue>(wrapInKey, value);
  // A value of another type is replaced.
  const fits = holder.type === (typeof key === 'number' ? 'array' : 'object');
  return fits
    ? addMember(text, holder, key, nested, layout)
    : replaceNode(text, holder, wrapInKey(nested, key), layout);
}

function wrapInKey(value: ConfigValue, key: string | number): ConfigValue {
  return typeof key === 'number' ? [value] : { [key]: value };
}

function replaceNode(text: string, node: Node, value: ConfigValue, layout: JsonLayout): string {
  const printed = printValue(value, layout, indentAt(text, node.offset));
  return splice(text, node.offset, node.offset + node.length, printed);
}

/** Appends a member, on its own line where the others are. */
function addMember(
  text: string,
  holder: Node,
  key: string | number,
  value: ConfigValue,
  layout: JsonLayout,
): string {
  const end = holder.offset + holder.length - 1;
  const last = holder.children?.at(-1);
  const name = typeof key === 'number' ? '' : `${JSON.stringify(key)}:${layout.space}`;
  if (last === undefined) {
    if (layout.unit === '') return splice(text, holder.offset + 1, end, name + printValue(value, layout, ''));
    const outer = indentAt(text, holder.offset);
    const inner = outer + layout.unit;
    const member = name + printValue(value, layout, inner);
    return splice(text, holder.offset + 1, end, layout.eol + inner + member + layout.eol + outer);
  }
  const behind = last.offset + last.length;
  const indent = lineStart(text, last.offset);
  const member = name + printValue(value, layout, indent ?? indentAt(text, last.offset));
  return splice(
    text,
    behind,
    behind,
    `,${indent === undefined ? layout.space : layout.eol + indent}${member}`,
  );
}

function removeAt(text: string, root: Node, path: KeyPath): string {
  const found = findNodeAtLocation(root, [...path]);
  if (found === undefined) return text;
  const node = found.parent?.type === 'property' ? found.parent : found;
  const holder = node.parent;
  if (holder === undefined) return splice(text, found.offset, found.offset + found.length, '{}');
  const members = holder.children ?? [];
  const at = members.indexOf(node);
  const [previous, next] = [members[at - 1], members[at + 1]];
  if (next !== undefined) return splice(text, node.offset, next.offset, '');
  if (previous !== undefined) {
    return splice(text, previous.offset + previous.length, node.offset + node.length, '');
  }
  return splice(text, holder.offset + 1, holder.offset + holder.length - 1, '');
}

function splice(text: string, from: number, to: number, put: string): string {
  return text.slice(0, from) + put + text.slice(to);
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
