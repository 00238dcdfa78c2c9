import { compileFunction } from 'node:vm';
import { escapeJson, type JsonWriter, type SchemaNode } from '../../../framework';
import type { PlannedMember, WritePlan } from './write-plan';

/** What generated code calls. */
export interface WriterParts {
  /** Whether a value of a schema that is not covered is JSON as it is, and sent whole. */
  readonly isSentWhole: (value: unknown, schema: number) => boolean;
  /** The text of such a value; undefined for one that is not JSON as it is. */
  readonly otherText: (value: unknown) => string | undefined;
}

/** The functions of one plan. */
export interface WriterFunctions extends JsonWriter {
  /** Whether a value is sent as it is: it has the declared types, and no other members. */
  readonly isSentAsIs: (value: unknown) => boolean;
}

/** The generated code of a plan. */
export interface WriterCode {
  readonly text: string;
  /** The schemas of values that it does not cover, by the number that it passes. */
  readonly others: readonly SchemaNode[];
}

/**
 * Generates the code of a plan. Each object has two functions:
 *
 * ```
 * const isSentAsIs0 = (value) => {
 *   if (!isPlain(value) || value.toJSON !== undefined) return false;
 *   let at = 0, found = 0;
 *   for (const name in value) { while (names0[at] !== name) if (++at >= 2) return false; found += bits0[at++]; }
 *   const m0 = value["id"];
 *   const m1 = value["year"];
 *   if (found !== 1 + (m1 === undefined ? 0 : 2)) return false;
 *   if (typeof m0 !== 'string') return false;
 *   if (m1 !== undefined) { if (!isFinite(m1)) return false; }
 *   return true;
 * };
 * const write0 = (value, open, separator) => {
 *   … the same, and
 *   let out = open + separator;
 *   out += '"id":"' + escape(m0);
 *   if (m1 !== undefined) { out += '","year":' + m1; }
 *   return out + '}';
 * };
 * ```
 *
 * `found` is the sum of a power of two for each enumerable member: of those, and no others, values are written.
 *
 * Members are expected in declaration order, so that both functions and `JSON.stringify` write the same text. One
 * function per object rather than a loop over members: each access has one type, which the engine optimizes.
 */
export function writerCode(plan: WritePlan): WriterCode {
  const generator = new Generator();
  const root = generator.value(plan);
  const items = generator.items(plan);
  const text = [
    "'use strict';",
    ...generator.functions,
    `return { isSentAsIs: (value) => { ${root.check('value', 'return false;')} return true; },`,
    `write: ${root.writer},`,
    `items: { ${items.join(', ')} } };`,
  ].join('\n');
  return { text, others: generator.others };
}

/** Compiles generated code. */
export function compileWriter(code: string, parts: WriterParts): WriterFunctions {
  const names = ['isPlain', 'isList', 'isFinite', 'isInteger', 'escape', 'isSentWhole', 'otherText'];
  // The parameters and the return value of the generated code.
  const make = compileFunction(code, names, { filename: 'response writer' }) as (
    ...values: readonly unknown[]
  ) => WriterFunctions;
  const { isSentWhole, otherText } = parts;
  return make(isPlain, isList, Number.isFinite, Number.isInteger, escapeJson, isSentWhole, otherText);
}

function isPlain(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype;
}

/** The code for a value. */
interface ValueCode {
  /** Statements that run others unless a value has the planned types. */
  readonly check: (value: string, otherwise: string) => string;
  /** Adds the text of a value to the output, whose last part may be pending. */
  readonly write: (value: string, out: Output) => void;
  /** An expression: a function that writes the value. */
  readonly writer: string;
}

/** Statements that add to the variable `out`. Constant texts wait for the next value, to be added together. */
class Output {
  readonly statements: string[] = [];
  #pending = '';

  text(text: string): void {
    this.#pending += text;
  }

  value(expression: string): void {
    const constant = this.#pending === '' ? '' : `${JSON.stringify(this.#pending)} + `;
    this.#pending = '';
    this.statements.push(`out += ${constant}${expression};`);
  }

  /** Adds statements that write nothing. */
  check(...lines: readonly string[]): void {
    this.statements.push(...lines);
  }

  /** Adds what is pending, and then statements that write. */
  statement(...lines: readonly string[]): void {
    if (this.#pending !== '') this.statements.push(`out += ${JSON.stringify(this.#pending)};`);
    this.#pending = '';
    this.statements.push(...lines);
  }
}

const UNLIKE = 'return undefined;';

class Generator {
  readonly functions: string[] = [];
  readonly others: SchemaNode[] = [];
  /** By plan: a list and the functions of its items use the same. */
  readonly #codes = new Map<WritePlan, ValueCode>();
  #variables = 0;
  #objects = 0;

  value(plan: WritePlan): ValueCode {
    const known = this.#codes.get(plan) ?? this.#codeOf(plan);
    this.#codes.set(plan, known);
    return known;
  }

  /** Returns the members of the object of functions that write items. */
  items(plan: WritePlan): readonly string[] {
    const lists = plan.kind === 'object' ? plan.members : [{ name: '', value: plan }];
    return lists.flatMap(({ name, value }) =>
      value.kind === 'list' && value.items.kind === 'object'
        ? [`${JSON.stringify(name)}: ${this.value(value.items).writer}`]
        : [],
    );
  }

  #codeOf(plan: WritePlan): ValueCode {
    switch (plan.kind) {
      case 'object':
        return this.#object(plan.members);
      case 'list':
        return this.#list(this.value(plan.items));
      case 'nullable':
        return this.#nullable(this.value(plan.value));
      case 'other':
        return this.#other(plan.schema);
      default:
        return scalar(plan.kind);
    }
  }

  #object(members: readonly PlannedMember[]): ValueCode {
    const number = this.#objects++;
    const codes = members.map(({ value }) => this.value(value));
    const variable = (at: number): string => `m${at}`;
    const check = members.flatMap(({ isRequired }, at) => {
      const own = codes[at]?.check(variable(at), 'return false;') ?? '';
      return isRequired ? [own] : [`if (${variable(at)} !== undefined) { ${own} }`];
    });
    const out = new Output();
    // Until a member is certain to be written, the separator is a variable.
    let isFirst = true;
    members.forEach(({ name, isRequired }, at) => {
      const label = `${JSON.stringify(name)}:`;
      if (isRequired) {
        if (isFirst) out.value('separator');
        out.text(isFirst ? label : `,${label}`);
        codes[at]?.write(variable(at), out);
        isFirst = false;
        return;
      }
      const inner = new Output();
      if (isFirst) inner.value('separator');
      inner.text(isFirst ? label : `,${label}`);
      codes[at]?.write(variable(at), inner);
      inner.statement(...(isFirst ? ["separator = ',';"] : []));
      out.statement(`if (${variable(at)} !== undefined) {`, ...inner.statements, '}');
    });
    out.text('}');
    out.statement();
    const [names, bits] = [`names${number}`, `bits${number}`];
    const bitOf = (at: number): number => 2 ** at;
    const required = members.reduce((sum, { isRequired }, at) => sum + (isRequired ? bitOf(at) : 0), 0);
    const optional = members.flatMap(({ isRequired }, at) =>
      isRequired ? [] : [` + (${variable(at)} === undefined ? 0 : ${bitOf(at)})`],
    );
    const read = members.map(({ name }, at) => `const ${variable(at)} = value[${JSON.stringify(name)}];`);
    const shape = (otherwise: string): readonly string[] => [
      `if (!isPlain(value) || value.toJSON !== undefined) ${otherwise}`,
      'let at = 0, found = 0;',
      `for (const name in value) { while (${names}[at] !== name) if (++at >= ${members.length}) ${otherwise} found += ${bits}[at++]; }`,
      ...read,
      `if (found !== ${required}${optional.join('')}) ${otherwise}`,
    ];
    this.functions.push(
      [
        `const ${names} = ${JSON.stringify(members.map(({ name }) => name))};`,
        `const ${bits} = ${JSON.stringify(members.map((_, at) => bitOf(at)))};`,
        `const isSentAsIs${number} = (value) => {`,
        ...shape('return false;'),
        ...check,
        'return true;',
        '};',
        `const write${number} = (value, open = '{', separator = '') => {`,
        ...shape(UNLIKE),
        'let out = open;',
        ...out.statements,
        'return out;',
        '};',
      ].join('\n'),
    );
    return {
      check: (value, otherwise) => `if (!isSentAsIs${number}(${value})) ${otherwise}`,
      write: (value, to) => {
        const text = this.#variable();
        to.check(`const ${text} = write${number}(${value});`, `if (${text} === undefined) ${UNLIKE}`);
        to.value(text);
      },
      writer: `write${number}`,
    };
  }

  #list(items: ValueCode): ValueCode {
    const loop = (value: string, at: string): string =>
      `for (let ${at} = 0; ${at} < ${value}.length; ${at}++) {`;
    return withWriter({
      check: (value, otherwise) => {
        const at = this.#variable();
        const item = this.#variable();
        return `if (${isOtherList(value)}) ${otherwise} ${loop(value, at)} const ${item} = ${value}[${at}]; ${items.check(item, otherwise)} }`;
      },
      write: (value, out) => {
        const at = this.#variable();
        const item = this.#variable();
        const inner = new Output();
        items.write(item, inner);
        inner.statement();
        out.check(`if (${isOtherList(value)}) ${UNLIKE}`);
        out.text('[');
        out.statement(
          loop(value, at),
          `const ${item} = ${value}[${at}];`,
          `if (${at} > 0) out += ',';`,
          ...inner.statements,
          '}',
        );
        out.text(']');
      },
    });
  }

  #nullable(inner: ValueCode): ValueCode {
    return withWriter({
      check: (value, otherwise) => `if (${value} !== null) { ${inner.check(value, otherwise)} }`,
      write: (value, out) => {
        const written = new Output();
        inner.write(value, written);
        written.statement();
        out.statement(`if (${value} === null) out += 'null'; else {`, ...written.statements, '}');
      },
    });
  }

  #other(schema: SchemaNode): ValueCode {
    const number = this.others.push(schema) - 1;
    return withWriter({
      check: (value, otherwise) => `if (!isSentWhole(${value}, ${number})) ${otherwise}`,
      write: (value, out) => {
        const text = this.#variable();
        out.check(`const ${text} = otherText(${value});`, `if (${text} === undefined) ${UNLIKE}`);
        out.value(text);
      },
    });
  }

  #variable(): string {
    return `v${this.#variables++}`;
  }
}

const isOtherList = (value: string): string => `!isList(${value}) || ${value}.toJSON !== undefined`;

/** Adds a function that writes the value alone. */
function withWriter(code: Omit<ValueCode, 'writer'>): ValueCode {
  const out = new Output();
  code.write('value', out);
  out.statement();
  return { ...code, writer: `(value) => { let out = ''; ${out.statements.join(' ')} return out; }` };
}

const CHECKS = {
  string: (value: string) => `typeof ${value} !== 'string'`,
  number: (value: string) => `!isFinite(${value})`,
  integer: (value: string) => `!isInteger(${value})`,
  boolean: (value: string) => `typeof ${value} !== 'boolean'`,
  null: (value: string) => `${value} !== null`,
} as const;

function scalar(kind: keyof typeof CHECKS): ValueCode {
  const check = (value: string, otherwise: string): string => `if (${CHECKS[kind](value)}) ${otherwise}`;
  return withWriter({
    check,
    write: (value, out) => {
      out.check(check(value, UNLIKE));
      if (kind === 'string') out.text('"');
      out.value(kind === 'string' ? `escape(${value})` : value);
      if (kind === 'string') out.text('"');
    },
  });
}
