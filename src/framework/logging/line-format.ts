import { isatty } from 'node:tty';
import { prettyLine } from './pretty-line';
import type { STANDARD_ERROR, STANDARD_OUTPUT } from './line-sink';

/** `auto`: pretty on a terminal, otherwise JSON. */
export const LOG_FORMATS = ['auto', 'json', 'pretty'] as const;

export type LogFormat = (typeof LOG_FORMATS)[number];

/**
 * Returns how the JSON lines of a standard stream are written. Colors are for terminals only, and not if `NO_COLOR`
 * (https://no-color.org) is set.
 * @returns undefined for JSON as it is
 */
export function lineFormat(
  stream: typeof STANDARD_OUTPUT | typeof STANDARD_ERROR,
  format: LogFormat,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): ((line: string) => string) | undefined {
  const isTerminal = isatty(stream);
  if (format === 'json' || (format === 'auto' && !isTerminal)) return undefined;
  const { NO_COLOR: noColor = '', TERM: terminal } = environment;
  const hasColors = isTerminal && noColor === '' && terminal !== 'dumb';
  return (line) => prettyLine(line, hasColors);
}
