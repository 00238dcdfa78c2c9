import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { ConfigurationError } from '../errors/configuration-error';
import { positionAt } from '../text/text-position';

/** What the parser expected. Its names of the other errors are used as they are. */
const EXPECTED: Readonly<Record<string, string>> = {
  CloseBraceExpected: '"}" expected',
  CloseBracketExpected: '"]" expected',
  ColonExpected: '":" expected',
  CommaExpected: '"," expected',
  PropertyNameExpected: 'a key in double quotes expected',
  ValueExpected: 'a value expected',
  EndOfFileExpected: 'the end of the file expected',
  InvalidSymbol: 'a JSON value expected',
};

/** Errors whose text need not be shown. */
const REASONS: Readonly<Record<string, string>> = {
  InvalidCommentToken: 'comments are not allowed in JSON',
  UnexpectedEndOfString: 'the string has no closing quotation mark',
};

/** What other languages and word processors write instead of a double quote. */
const OTHER_QUOTES = /['`‘’“”„]/;

const IN_DOUBLE_QUOTES = 'keys and strings are written in double quotes';

/** A syntax error of a JSON text: its offset, and what was expected there. */
interface JsonSyntaxError {
  readonly offset: number;
  readonly reason: string;
}

/** @throws ConfigurationError with line and column of a syntax error, or of a duplicate key */
export function assertWellFormed(text: string, shown: string): void {
  const parsed = parseTolerantly(text);
  if ('reason' in parsed)
    throw new ConfigurationError(
      `${shown}:${formatPosition(text, parsed.offset)}: not well-formed JSON: ${parsed.reason}.`,
    );
  const duplicate = duplicateKey(parsed.root);
  if (duplicate === undefined) return;
  const [first, { offset, length }] = duplicate;
  throw new ConfigurationError(
    `${shown}:${formatPosition(text, offset)}: the key ${text.slice(offset, offset + length)} is a duplicate of the key at ${formatPosition(text, first.offset)}. Remove one of the two.`,
  );
}

/** Returns the first syntax error of a text; undefined for JSON. */
export function jsonSyntaxErrorOf(text: string): JsonSyntaxError | undefined {
  const parsed = parseTolerantly(text);
  return 'reason' in parsed ? parsed : undefined;
}

function parseTolerantly(text: string): JsonSyntaxError | { readonly root: Node } {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true, allowTrailingComma: false });
  const [error] = errors;
  if (error !== undefined) return { offset: error.offset, reason: explain(error, text) };
  return root === undefined ? { offset: 0, reason: 'the file is empty' } : { root };
}

/** Finds two equal keys of one object: parsers differ in which one takes precedence. */
function duplicateKey(node: Node): readonly [first: Node, second: Node] | undefined {
  const keys = new Map<unknown, Node>();
  for (const child of node.children ?? []) {
    const [key] = child.type === 'property' ? (child.children ?? []) : [];
    const first = key === undefined ? undefined : keys.get(key.value);
    if (key !== undefined && first !== undefined) return [first, key];
    if (key !== undefined) keys.set(key.value, key);
    const nested = duplicateKey(child);
    if (nested !== undefined) return nested;
  }
  return undefined;
}

/** Returns `line:column`, from 1. */
export function formatPosition(text: string, offset: number): string {
  const { line, column } = positionAt(text, offset);
  return `${line}:${column}`;
}

/** `CommaExpected` → `"," expected, found "port"`; without what was found if it may be a value */
function explain({ error, offset, length }: ParseError, text: string): string {
  const name = printParseErrorCode(error);
  const reason = isInOtherQuotes(text, offset) ? IN_DOUBLE_QUOTES : REASONS[name];
  if (reason !== undefined) return reason;
  const words = EXPECTED[name] ?? name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
  if (offset >= text.length) return `${words}, but the file ends`;
  const found = text.slice(offset, offset + length);
  const isShown = /^[{}[\],:]$/.test(found) || isName(text, offset, length);
  return isShown ? `${words}, found ${found.slice(0, 40)}` : words;
}

/** Whether a key or string may begin here: `10'000`, or the fence of Markdown around JSON, is something else. */
function isInOtherQuotes(text: string, offset: number): boolean {
  const before = text.slice(0, offset).trimEnd().at(-1) ?? '';
  return OTHER_QUOTES.test(text[offset] ?? '') && '{[:,'.includes(before) && !text.startsWith('```', offset);
}

/**
 * Whether a part of a text is the name of a member. Values may be secrets: viewers of the admin and logs read the message.
 * Without quotation marks, it may be the rest of a value that contains one.
 */
function isName(text: string, offset: number, length: number): boolean {
  if (text[offset] !== '"') return false;
  return !text.slice(0, offset).trimEnd().endsWith(':') && /^\s*:/.test(text.slice(offset + length));
}
