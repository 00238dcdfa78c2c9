import { isObject, parseJson } from '../values/config-object';
import { escapeText } from './escape-controls';

/** Escape sequences of colors (ECMA-48, SGR), by pino's number of a level. */
const LEVELS: Readonly<Record<string, readonly [name: string, color: number]>> = {
  20: ['DEBUG', 35],
  30: ['INFO', 32],
  40: ['WARN', 33],
  50: ['ERROR', 31],
};
const DIM = 2;

/** Members with a place of their own. */
const PLACED = new Set(['level', 'time', 'msg', 'module', 'err', 'method', 'path', 'status']);

/**
 * Formats a JSON line of a log for people: time, level, module and message, the other members, and the stack below.
 * Control characters are escaped, so that no request can write to the terminal.
 *
 * @param line with its line break; returned unchanged if it is not a JSON object
 */
export function prettyLine(line: string, hasColors: boolean): string {
  const entry = parseJson(line);
  if (!isObject(entry)) return line;
  const paint = (text: string, color: number): string =>
    hasColors ? `\u001b[${color}m${text}\u001b[0m` : text;
  const [level, color] = LEVELS[String(entry.level)] ?? [String(entry.level), DIM];
  const time = typeof entry.time === 'string' ? entry.time.slice(11, 23) : '';
  const module = typeof entry.module === 'string' ? [paint(`[${escapeText(entry.module)}]`, DIM)] : [];
  const members = Object.entries(entry)
    .filter(([name, value]) => !PLACED.has(name) && value !== null)
    .map(([name, value]) => paint(`${escapeText(name)}=${member(value)}`, DIM));
  const head = [paint(time, DIM), paint(level.padEnd(5), color), ...module, message(entry), ...members];
  return `${head.join(' ')}\n${errorLines(entry.err)}`;
}

/** The message, and the request if the line has one. */
function message({ msg, method, path, status }: Readonly<Record<string, unknown>>): string {
  return [method, path, status, msg]
    .filter((part) => typeof part === 'string' || typeof part === 'number')
    .map((part) => escapeText(String(part)))
    .join(' ');
}

function member(value: unknown): string {
  if (typeof value === 'string' && /^[\w.:/@+-]+$/.test(value)) return value;
  return escapeText(JSON.stringify(value));
}

function errorLines(err: unknown): string {
  if (err === undefined) return '';
  const stack = isObject(err) && typeof err.stack === 'string' ? err.stack : JSON.stringify(err);
  return `${stack
    .split('\n')
    .map((line) => `    ${escapeText(line)}`)
    .join('\n')}\n`;
}
