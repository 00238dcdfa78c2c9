import { isTree, type ConfigValue } from './tree';

/** How a JSON text is laid out. */
export interface Layout {
  /** What a level is indented by; empty for a text on one line. */
  readonly unit: string;
  readonly eol: string;
  /** What stands behind colons, and behind commas within a line. */
  readonly space: string;
}

/** Lists of single values up to this many characters stand on one line. */
const LINE = 80;

/** The layout of a text, seen from its first indented line. */
export function layoutOf(text: string): Layout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)\S/.exec(text)?.[1];
  const isOneLine = unit === undefined && text.trim().length > 2 && !text.trim().includes('\n');
  if (isOneLine) return { unit: '', eol, space: /[:,] /.test(text) ? ' ' : '' };
  return { unit: unit ?? '  ', eol, space: ' ' };
}

/**
 * A value as JSON in a layout.
 * @param indent of the line on which it begins
 */
export function printValue(value: ConfigValue, layout: Layout, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + layout.unit;
  const printed = isTree(value)
    ? Object.entries(value).map(
        ([key, member]) => `${JSON.stringify(key)}:${layout.space}${printValue(member, layout, inner)}`,
      )
    : value.map((member) => printValue(member, layout, inner));
  const [open, close] = isTree(value) ? ['{', '}'] : ['[', ']'];
  if (printed.length === 0) return open + close;
  const line = printed.join(`,${layout.space}`);
  const isShort = !isTree(value) && line.length <= LINE && value.every((member) => !isTree(member));
  if (layout.unit === '' || isShort) return open + line + close;
  const members = printed.map((member) => layout.eol + inner + member).join(',');
  return open + members + layout.eol + indent + close;
}
