import type { Dialect } from '../adapters/database-adapter';

/** A statement of a script. */
export interface ScriptStatement {
  readonly text: string;
  /** The line of its first word, from 1. */
  readonly line: number;
  /** Its first words, in upper case, without comments. */
  readonly words: readonly string[];
}

/** Texts, quoted names and comments, in which a semicolon ends nothing; then words and single characters. */
const COMMON = /--[^\n]*|'(?:[^']|'')*'|"(?:[^"]|"")*"/;
const TOKENS: Readonly<Record<Dialect, RegExp>> = {
  sqlite: new RegExp(
    `${COMMON.source}|${/\/\*[^]*?(?:\*\/|$)|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+|[^]/.source}`,
    'g',
  ),
  postgres: new RegExp(
    `${/\b[eE]'(?:[^'\\]|\\[^]|'')*'|(?<tag>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)[^]*?\k<tag>/.source}|${COMMON.source}|${/\/\*|[\w$\u0080-\uffff]+|[^]/.source}`,
    'g',
  ),
};

/** A part of a statement of SQLite without a semicolon that ends it: as above, with longer parts. */
const PLAIN = new RegExp(
  `[^;'"\`[/-]+|${COMMON.source}|${/\/\*[^]*?(?:\*\/|$)|`(?:[^`]|``)*`|\[[^\]]*\]|[^;]/.source}`,
  'y',
);

const MAX_WORDS = 7;

/**
 * Splits a script into its statements: the bodies of triggers (SQLite), of functions and of rules (PostgreSQL) contain
 * semicolons that end no statement.
 */
export function statementsOf(script: string, dialect: Dialect): readonly ScriptStatement[] {
  const statements: ScriptStatement[] = [];
  let body = new StatementBody(dialect);
  let begin: number | undefined;
  const add = (end: number): void => {
    if (begin === undefined) return;
    const line = script.slice(0, begin).split('\n').length;
    statements.push({ text: script.slice(begin, end), line, words: body.words });
    begin = undefined;
    body = new StatementBody(dialect);
  };
  const tokens = new RegExp(TOKENS[dialect]);
  for (let found = tokens.exec(script); found !== null; found = tokens.exec(script)) {
    const { 0: token, index } = found;
    // Comments of PostgreSQL can be nested; those of SQLite are one token.
    if (token === '/*') tokens.lastIndex = endOfComment(script, tokens.lastIndex);
    if (token.startsWith('--') || token.startsWith('/*') || token.trim() === '') continue;
    if (token === ';' && body.isComplete) {
      add(index);
      continue;
    }
    begin ??= index;
    body.add(token.toUpperCase());
    // Most of a script are long lists of values.
    if (body.isPlain) tokens.lastIndex = endOfPlain(script, tokens.lastIndex);
  }
  add(script.length);
  return statements;
}

/** Returns where a comment ends, in which quotes, dollar signs and hyphens mean nothing. @param from after its begin */
function endOfComment(script: string, from: number): number {
  const marks = /\/\*|\*\//g;
  marks.lastIndex = from;
  let depth = 1;
  for (let found = marks.exec(script); found !== null; found = marks.exec(script)) {
    depth += found[0] === '/*' ? 1 : -1;
    if (depth === 0) return marks.lastIndex;
  }
  return script.length;
}

/** Returns where the next semicolon is that is not part of a text, a name or a comment. @param from between two tokens */
function endOfPlain(script: string, from: number): number {
  PLAIN.lastIndex = from;
  let end = from;
  while (PLAIN.test(script)) end = PLAIN.lastIndex;
  return end;
}

/** Decides whether a semicolon ends a statement. */
class StatementBody {
  readonly words: string[] = [];
  readonly #dialect: Dialect;
  /** Parentheses, and blocks of `BEGIN ATOMIC` and `CASE` (PostgreSQL). */
  #depth = 0;
  #isAtomic = false;
  #last: readonly [string, string] = ['', ''];

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  get isComplete(): boolean {
    if (this.#dialect === 'postgres') return this.#depth <= 0;
    // As sqlite3_complete: the body of a trigger ends with "; END".
    const [before, last] = this.#last;
    return !this.#isTrigger || (before === ';' && last === 'END');
  }

  /** Whether the next semicolon ends it, whatever is before. */
  get isPlain(): boolean {
    return this.#dialect === 'sqlite' && this.words.length === MAX_WORDS && !this.#isTrigger;
  }

  add(token: string): void {
    if (this.words.length < MAX_WORDS) this.words.push(token);
    if (this.#dialect === 'postgres') this.#nest(token);
    this.#last = [this.#last[1], token];
  }

  get #isTrigger(): boolean {
    const [first, second = '', third] = this.words;
    const isTemporary = second === 'TEMP' || second === 'TEMPORARY';
    return first === 'CREATE' && (isTemporary ? third : second) === 'TRIGGER';
  }

  #nest(token: string): void {
    if (token === '(' || (this.#isAtomic && token === 'CASE')) this.#depth++;
    if (token === ')' || (this.#isAtomic && token === 'END')) this.#depth--;
    if (token !== 'ATOMIC' || this.#last[1] !== 'BEGIN') return;
    this.#isAtomic = true;
    this.#depth++;
  }
}
