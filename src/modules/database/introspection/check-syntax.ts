import { castTo } from './check-cast';
import { type CheckExpression, UNKNOWN } from './check-expression';

/** Spaces, comments, the beginning of an array, numbers, strings, quoted identifiers, words, operators. */
const TOKEN =
  /\s+|ARRAY\[|--[^\n]*|\/\*[^]*?\*\/|(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?(?![\w.])|'(?:[^']|'')*'|"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[[^\]]+\]|[\p{L}_][\p{L}\p{N}_$]*|::|<=|>=|<>|!=|==|!?~~?\*?|\|\||[^]/giuy;

const COMPARISON = /^(?:==?|<=?|>=?|<>|!=|!?~~?\*?)$/;

/** Operators with a higher precedence than comparisons: their result is unknown. */
const ARITHMETIC = new Set(['+', '-', '*', '/', '%', '||', '&', '|', '#', '^', '->', '@']);

const RESERVED = new Set([
  'AND',
  'OR',
  'NOT',
  'IN',
  'IS',
  'BETWEEN',
  'LIKE',
  'GLOB',
  'COLLATE',
  'ESCAPE',
  'CASE',
]);

/** The words of types that consist of several. */
const TYPE_WORDS = new Set(['VARYING', 'PRECISION', 'WITH', 'WITHOUT', 'TIME', 'ZONE']);

/** Text that this grammar does not cover; the constraint is ignored. */
class Unsupported extends Error {}

/** Parses an expression of SQLite or of `pg_get_constraintdef`. Returns undefined if it is not understood. */
export function parseCheckExpression(text: string): CheckExpression | undefined {
  try {
    return new Parser(text).parse();
  } catch (error) {
    if (error instanceof Unsupported) return undefined;
    throw error;
  }
}

const MAX_DEPTH = 50;

class Parser {
  readonly #tokens: readonly string[];
  #position = 0;
  #depth = 0;

  constructor(text: string) {
    this.#tokens = [...text.matchAll(TOKEN)]
      .map(([token]) => token)
      .filter((token) => !/^(?:\s|--|\/\*)/.test(token));
  }

  parse(): CheckExpression {
    const expression = this.#or();
    if (this.#token !== undefined) throw new Unsupported();
    return expression;
  }

  get #token(): string | undefined {
    return this.#tokens[this.#position];
  }

  #take(): string {
    const token = this.#token;
    if (token === undefined) throw new Unsupported();
    this.#position++;
    return token;
  }

  #skip(word: string): boolean {
    if (this.#token?.toUpperCase() !== word) return false;
    this.#position++;
    return true;
  }

  #expect(word: string): void {
    if (!this.#skip(word)) throw new Unsupported();
  }

  #or(): CheckExpression {
    if (++this.#depth > MAX_DEPTH) throw new Unsupported();
    const items = [this.#and()];
    while (this.#skip('OR')) items.push(this.#and());
    this.#depth--;
    return items.length === 1 ? (items[0] ?? UNKNOWN) : { type: 'or', items };
  }

  #and(): CheckExpression {
    const items = [this.#not()];
    while (this.#skip('AND')) items.push(this.#not());
    return items.length === 1 ? (items[0] ?? UNKNOWN) : { type: 'and', items };
  }

  #not(): CheckExpression {
    if (!this.#skip('NOT')) return this.#comparison();
    this.#not();
    return UNKNOWN;
  }

  #comparison(): CheckExpression {
    const left = this.#operand();
    if (COMPARISON.test(this.#token ?? '')) return this.#compare(left, this.#take());
    if (this.#skip('IS')) return this.#is(left);
    const isNegated = this.#skip('NOT');
    const expression = this.#membership(left);
    if (expression === undefined && isNegated) throw new Unsupported();
    return isNegated ? UNKNOWN : (expression ?? left);
  }

  #compare(left: CheckExpression, operator: string): CheckExpression {
    const isAny = this.#skip('ANY');
    const right = isAny ? this.#list()[0] : this.#operand();
    // `a < b < c` compares a truth value.
    if (right === undefined || COMPARISON.test(this.#token ?? '')) throw new Unsupported();
    if (!isAny) return { type: 'compare', operator, left, right };
    return operator === '=' && right.type === 'list'
      ? { type: 'in', subject: left, values: right.items }
      : UNKNOWN;
  }

  #is(subject: CheckExpression): CheckExpression {
    const isNegated = this.#skip('NOT');
    if (this.#skip('NULL')) return isNegated ? UNKNOWN : { type: 'isNull', subject };
    this.#operand();
    return UNKNOWN;
  }

  #membership(subject: CheckExpression): CheckExpression | undefined {
    if (this.#skip('IN')) return { type: 'in', subject, values: this.#list() };
    if (this.#skip('BETWEEN')) return this.#between(subject);
    if (!this.#skip('LIKE') && !this.#skip('GLOB')) return undefined;
    this.#operand();
    if (this.#skip('ESCAPE')) this.#operand();
    return UNKNOWN;
  }

  #between(subject: CheckExpression): CheckExpression {
    const low = this.#operand();
    this.#expect('AND');
    const high = this.#operand();
    return {
      type: 'and',
      items: [
        { type: 'compare', operator: '>=', left: subject, right: low },
        { type: 'compare', operator: '<=', left: subject, right: high },
      ],
    };
  }

  /** An operand; with an arithmetic operator after it, its value is unknown. */
  #operand(): CheckExpression {
    let operand = this.#cast(this.#primary());
    while (ARITHMETIC.has(this.#token ?? '')) {
      this.#position++;
      this.#cast(this.#primary());
      operand = UNKNOWN;
    }
    return operand;
  }

  #primary(): CheckExpression {
    const token = this.#take();
    if (token === '(') return this.#parenthesized();
    if (token === '-' || token === '+') return signed(this.#cast(this.#primary()), token);
    if (/^\.?\d/.test(token)) return numberValue(token);
    if (/^'.*'$/s.test(token) && token.length > 1)
      return { type: 'value', value: token.slice(1, -1).replaceAll("''", "'") };
    if (/^(["`]).+\1$|^\[.+\]$/s.test(token)) return { type: 'column', name: unquote(token) };
    if (token.toUpperCase() === 'ARRAY[') return { type: 'list', items: this.#items(']') };
    if (!/^[\p{L}_]/u.test(token) || RESERVED.has(token.toUpperCase())) throw new Unsupported();
    return this.#token === '(' ? this.#call(token) : { type: 'column', name: token };
  }

  #parenthesized(): CheckExpression {
    const expression = this.#or();
    this.#expect(')');
    return expression;
  }

  #call(name: string): CheckExpression {
    const parameters = this.#list();
    const [parameter] = parameters;
    const isLength = /^(?:length|char_length|character_length)$/i.test(name);
    return isLength && parameters.length === 1 && parameter?.type === 'column'
      ? { type: 'length', name: parameter.name }
      : UNKNOWN;
  }

  #list(): readonly CheckExpression[] {
    this.#expect('(');
    return this.#items(')');
  }

  #items(end: string): readonly CheckExpression[] {
    const items: CheckExpression[] = [];
    if (this.#skip(end)) return items;
    do items.push(this.#or());
    while (this.#skip(','));
    this.#expect(end);
    return items;
  }

  #cast(operand: CheckExpression): CheckExpression {
    let result = operand;
    while (this.#skip('::')) {
      const words = [this.#take()];
      while (TYPE_WORDS.has(this.#token?.toUpperCase() ?? '')) words.push(this.#take());
      // With a length or precision, a cast may change the value.
      const isLimited = this.#token === '(';
      if (isLimited) this.#list();
      while (this.#skip('[')) this.#expect(']');
      result = isLimited ? UNKNOWN : castTo(result, words.join(' ').toLowerCase());
    }
    return result;
  }
}

function unquote(identifier: string): string {
  const [quote = ''] = identifier;
  const inner = identifier.slice(1, -1);
  return quote === '[' ? inner : inner.replaceAll(quote + quote, quote);
}

function numberValue(token: string): CheckExpression {
  const value = Number(token);
  const isExact = Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  return isExact ? { type: 'value', value } : UNKNOWN;
}

function signed(operand: CheckExpression, sign: string): CheckExpression {
  if (operand.type !== 'value' || typeof operand.value !== 'number') return UNKNOWN;
  return sign === '-' ? { type: 'value', value: 0 - operand.value } : operand;
}
