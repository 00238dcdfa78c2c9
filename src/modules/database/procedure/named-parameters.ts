import { ConfigurationError, positionAt, type TextPosition } from '../../../framework';
import type { Dialect } from '../adapters/database-adapter';

/** The parameter that is not of the client. */
export const IDENTITY_NAME = 'identity.name';

/** A statement with named parameters, in the notation of its database. */
export interface NamedStatement {
  /** With `$1` (PostgreSQL) or `?` (SQLite) in place of `:name`: `node:sqlite` takes no numbers before 22.20 and 24.7. */
  readonly text: string;
  /** The name of each parameter, in the order of their numbers. */
  readonly names: readonly string[];
  /** Which of these each place in the text has; undefined if the text has their numbers. */
  readonly places?: readonly number[];
  /** The text in which the database reads the values of these parameters, which are texts, as binary numbers. */
  withReals(reals: readonly string[]): string;
  /** The position in the declared text of an offset in `text`. */
  locate(offset: number): TextPosition;
}

/** What contains no parameters: texts, quoted names, comments and casts. Then parameters, and what is not allowed. */
const TOKENS = [
  /\b[eE]'(?:[^'\\]|\\[^]|'')*'/,
  /'(?:[^']|'')*'/,
  /"(?:[^"]|"")*"/,
  /`[^`]*`/,
  /--[^\n]*/,
  /\/\*[^]*?\*\//,
  /(?<tag>\$(?:[A-Za-z_]\w*)?\$)[^]*?\k<tag>/,
  /::/,
  /(?<![\w\])"]):(?<name>identity\.\w+|[A-Za-z_]\w*)/,
  /(?<end>;)/,
  /(?<foreign>\$\d+)/,
];

/** Parameters of SQLite that are not named by a colon: they would be null. */
const SQLITE_TOKENS = [/(?<other>\?\d*|[@$]\w+)/];

/**
 * Reads the named parameters of a statement. Their values are always bound, never part of the text.
 * @param where the key of the text, for messages
 * @throws ConfigurationError for several statements, and for other kinds of parameters
 */
export function parseNamedParameters(source: string, dialect: Dialect, where: string): NamedStatement {
  const names: string[] = [];
  /** Offsets in the text and in the source, after each parameter. */
  const offsets: [inText: number, inSource: number][] = [[0, 0]];
  /** What is before each parameter. */
  const parts: (readonly [before: string, name: string])[] = [];
  const placeholder = (name: string): string => (dialect === 'sqlite' ? '?' : `$${names.indexOf(name) + 1}`);
  const tokens = dialect === 'sqlite' ? [...TOKENS, ...SQLITE_TOKENS] : TOKENS;
  const pattern = new RegExp(tokens.map((one) => one.source).join('|'), 'g');
  let text = '';
  let from = 0;
  for (const { index, 0: token, groups = {} } of source.matchAll(pattern)) {
    const { name, end, foreign = groups.other } = groups;
    if (end !== undefined) {
      if (/^(?:;|\s|--[^\n]*|\/\*[^]*?\*\/)*$/.test(source.slice(index))) {
        source = source.slice(0, index);
        break;
      }
      throw refusal(where, source, index, 'has several statements. Write one');
    }
    if (foreign !== undefined)
      throw refusal(where, source, index, `has the parameter ${token}. Name it, such as :since`);
    if (name === undefined) continue;
    if (!names.includes(name)) names.push(name);
    const before = source.slice(from, index);
    parts.push([before, name]);
    text += before + placeholder(name);
    from = index + token.length;
    offsets.push([text.length, from]);
  }
  const end = source.slice(from);
  text += end;
  const withReals = (reals: readonly string[]): string =>
    parts
      .map(([before, name]) =>
        reals.includes(name) ? `${before}cast(${placeholder(name)} as real)` : before + placeholder(name),
      )
      .join('') + end;
  const locate = (offset: number): TextPosition => {
    const [inText, inSource] = offsets.filter(([start]) => start <= offset).at(-1) ?? [0, 0];
    return positionAt(source, inSource + offset - inText);
  };
  const places = dialect === 'sqlite' ? { places: parts.map(([, name]) => names.indexOf(name)) } : {};
  return { text, names, ...places, withReals, locate };
}

function refusal(where: string, source: string, at: number, what: string): ConfigurationError {
  const { line, column } = positionAt(source, at);
  return new ConfigurationError(`${where} ${what}: line ${line}, column ${column}.`);
}
