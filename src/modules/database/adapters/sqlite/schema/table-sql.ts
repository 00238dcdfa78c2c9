/** A CHECK constraint as the text of `CREATE TABLE` declares it. */
export interface CheckDeclaration {
  readonly name: string | undefined;
  /** The expression, without the parentheses around it. */
  readonly expression: string;
}

/** Comments, strings, quoted identifiers, words and single characters of SQLite. */
const TOKEN =
  /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|[\w$\u0080-\uffff]+|[^]/g;

interface Token {
  readonly text: string;
  readonly begin: number;
}

/** The CHECK constraints of a table, of columns too, in the order of their declaration. */
export function checkDeclarations(sql: string): readonly CheckDeclaration[] {
  // Most tables have none.
  if (!/check/i.test(sql)) return [];
  const tokens = tokensOf(sql);
  return tokens.flatMap((token, index) => {
    if (token.text.toUpperCase() !== 'CHECK' || tokens[index + 1]?.text !== '(') return [];
    const end = closingParenthesis(tokens, index + 1);
    if (end === undefined) return [];
    const isNamed = tokens[index - 2]?.text.toUpperCase() === 'CONSTRAINT';
    const name = isNamed ? unquote(tokens[index - 1]?.text ?? '') : undefined;
    return [{ name, expression: sql.slice((tokens[index + 1]?.begin ?? 0) + 1, end).trim() }];
  });
}

/** The columns and expressions of an index, without its predicate: `lower(email)` of `… ON t (lower(email)) WHERE active`. */
export function indexKey(sql: string): string {
  const tokens = tokensOf(sql);
  const opening = tokens.findIndex(({ text }) => text === '(');
  const begin = (tokens[opening]?.begin ?? sql.length) + 1;
  return sql.slice(begin, closingParenthesis(tokens, Math.max(opening, 0))).trim();
}

/**
 * The columns whose texts SQLite compares without regard to case or trailing spaces, with their collations: `BINARY` for one
 * that only its constraints compare so.
 */
export function collatedColumns(sql: string): ReadonlyMap<string, string> {
  const collated = new Map<string, string>();
  // Most tables have none.
  if (!/collate/i.test(sql)) return collated;
  let column: string | undefined;
  let depth = 0;
  const tokens = tokensOf(sql).map(({ text }) => text);
  for (const [index, token] of tokens.entries()) {
    if (token === ')') depth--;
    // The first word of a definition is the name of its column, or that of a constraint.
    if (depth === 1 && (tokens[index - 1] === '(' || tokens[index - 1] === ',')) column = unquote(token);
    if (token === '(') depth++;
    if (token.toUpperCase() !== 'COLLATE' || column === undefined) continue;
    const collation = unquote(tokens[index + 1] ?? '').toUpperCase();
    if (collation === 'BINARY') continue;
    if (depth === 1) collated.set(column, collation);
    else if (!collated.has(column)) collated.set(column, 'BINARY');
  }
  return collated;
}

/** The identifiers in an expression, and its keywords and function names, without quotes. */
export function wordsOf(expression: string): readonly string[] {
  return tokensOf(expression)
    .filter(({ text }) => /^["`[\w\u0080-\uffff]/.test(text))
    .map(({ text }) => unquote(text));
}

/** The name that SQLite reports for a failed constraint: without a name its expression, up to a quoted identifier's end. */
export function reportedName({ name, expression }: CheckDeclaration): string {
  return name ?? (/^["'`[]/.test(expression) ? unquote(tokensOf(expression)[0]?.text ?? '') : expression);
}

/** An identifier without its quotes. */
export function unquote(identifier: string): string {
  const [quote] = identifier;
  if (quote === '[') return identifier.slice(1, -1);
  if (quote !== '"' && quote !== '`' && quote !== "'") return identifier;
  return identifier.slice(1, -1).replaceAll(quote + quote, quote);
}

function tokensOf(sql: string): readonly Token[] {
  return [...sql.matchAll(TOKEN)]
    .map(({ 0: text, index: begin }) => ({ text, begin }))
    .filter(({ text }) => !/^(?:--|\/\*|\s)/.test(text));
}

/** The offset of the parenthesis that closes the one at an index. */
function closingParenthesis(tokens: readonly Token[], opening: number): number | undefined {
  let depth = 0;
  for (const { text, begin } of tokens.slice(opening)) {
    if (text === '(') depth++;
    else if (text === ')' && --depth === 0) return begin;
  }
  return undefined;
}
