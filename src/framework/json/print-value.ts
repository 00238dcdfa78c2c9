import { isObject, type ConfigValue } from '../values/config-object';

/** The layout of a JSON text. */
export interface JsonLayout {
  /** The indentation of a level; empty for a text on one line. */
  readonly unit: string;
  readonly eol: string;
  /** The white space after colons, and after commas within a line. */
  readonly space: string;
}

/** Lists of scalars up to this many characters are printed on one line. */
const LINE = 80;

/** Detects the layout of a text from its first indented line. */
export function detectLayout(text: string): JsonLayout {
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  const unit = /\n([ \t]+)\S/.exec(text)?.[1];
  const isOneLine = unit === undefined && text.trim().length > 2 && !text.trim().includes('\n');
  if (isOneLine) return { unit: '', eol, space: /[:,] /.test(text) ? ' ' : '' };
  return { unit: unit ?? '  ', eol, space: ' ' };
}

/**
 * Prints a value as JSON in a layout.
 * @param indent of the line on which the value begins
 */
export function printValue(value: ConfigValue, layout: JsonLayout, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = indent + layout.unit;
  const printed = isObject(value)
    ? Object.entries(value).map(
        ([key, member]) => `${JSON.stringify(key)}:${layout.space}${printValue(member, layout, inner)}`,
      )
    : value.map((member) => printValue(member, layout, inner));
  const [open, close] = isObject(value) ? ['{', '}'] : ['[', ']'];
  if (printed.length === 0) return open + close;
  const line = printed.join(`,${layout.space}`);
  const isShort = !isObject(value) && line.length <= LINE && value.every((member) => !isObject(member));
  if (layout.unit === '' || isShort) return open + line + close;
  const members = printed.map((member) => layout.eol + inner + member).join(',');
  return open + members + layout.eol + indent + close;
}
