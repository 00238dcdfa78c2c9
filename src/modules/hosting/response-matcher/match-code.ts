import { compileFunction } from 'node:vm';
import type { SchemaNode } from '../../../framework';
import { codePointsIn, formatCheck } from '../../content-validation';
import type { MatchPlan, PlannedMember } from './match-plan';
import type { Restriction } from './match-restrictions';

/** Whether a value has the planned types and members, and, if they are generated, matches the restrictions. */
export type Match = (value: unknown) => boolean;

/** Whether a value of a schema that is not covered is JSON as it is, and sent whole. */
export type MatchOther = (value: unknown, schema: number) => boolean;

/** The generated code of a plan. */
export interface MatchCode {
  readonly text: string;
  /** The schemas of values that it does not cover, by the number that it passes. */
  readonly others: readonly SchemaNode[];
}

/**
 * Generates the code of a plan. Each object has a function:
 *
 * ```
 * const names0 = ["id", "year"], bits0 = [1, 2];
 * const matches0 = (value) => {
 *   if (typeof value !== 'object' || value === null || value.toJSON !== undefined || !isPlain(value)) return false;
 *   let at = 0, found = 0;
 *   for (const name in value) {
 *     if (names0[at] !== name && (at = names0.indexOf(name)) < 0) return false;
 *     found += bits0[at++];
 *   }
 *   const m0 = value["id"];
 *   const m1 = value["year"];
 *   if (found !== 1 + (m1 === undefined ? 0 : 2)) return false;
 *   if (typeof m0 !== 'string') return false;
 *   if (m1 !== undefined) { if (!isFinite(m1)) return false; }
 *   return true;
 * };
 * ```
 *
 * `found` is the sum of a power of two for each enumerable member: those, and no others, are what JSON shows.
 *
 * One function per object rather than a loop over members: each access has one type, which the engine optimizes. The
 * prototype is read last, when the engine knows the hidden class of the value.
 */
export function matchCode(plan: MatchPlan, { withRestrictions }: { withRestrictions: boolean }): MatchCode {
  const generator = new Generator(withRestrictions);
  const check = generator.check(plan, 'value');
  const { constants, functions, others } = generator;
  const text = [
    "'use strict';",
    ...[...constants].map(([code, name]) => `const ${name} = ${code};`),
    ...functions,
    `return (value) => { ${check} return true; };`,
  ].join('\n');
  return { text, others };
}

/** Compiles generated code. */
export function compileMatch(code: string, matchesOther: MatchOther): Match {
  const given = {
    isPlain,
    isList,
    isFinite: Number.isFinite,
    isInteger: Number.isInteger,
    codePointsIn,
    formatCheck,
  };
  // The parameters and the return value of the generated code.
  const make = compileFunction(code, [...Object.keys(given), 'matchesOther'], {
    filename: 'response matcher',
  }) as (...values: readonly unknown[]) => Match;
  return make(...Object.values(given), matchesOther);
}

function isPlain(value: object): boolean {
  return Object.getPrototypeOf(value) === Object.prototype;
}

function isList(value: unknown): boolean {
  return Array.isArray(value) && Object.getPrototypeOf(value) === Array.prototype;
}

const UNLESS = {
  string: (value: string) => `typeof ${value} !== 'string'`,
  number: (value: string) => `!isFinite(${value})`,
  integer: (value: string) => `!isInteger(${value})`,
  boolean: (value: string) => `typeof ${value} !== 'boolean'`,
  null: (value: string) => `${value} !== null`,
} as const;

const failIf = (condition: string): string => `if (${condition}) return false;`;

class Generator {
  /** Names by code. */
  readonly constants = new Map<string, string>();
  readonly functions: string[] = [];
  readonly others: SchemaNode[] = [];
  readonly #withRestrictions: boolean;
  #variables = 0;

  constructor(withRestrictions: boolean) {
    this.#withRestrictions = withRestrictions;
  }

  /** Returns statements that return false unless a value, named by an expression, matches a plan. */
  check(plan: MatchPlan, value: string): string {
    switch (plan.kind) {
      case 'object':
        return failIf(`!${this.#addFunction(plan.members)}(${value})`);
      case 'list': {
        const [at, item] = [this.#variable(), this.#variable()];
        const items = `const ${item} = ${value}[${at}]; ${this.check(plan.items, item)}`;
        return `${failIf(`!isList(${value}) || ${value}.toJSON !== undefined`)} ${this.#restrict(plan.restrictions, value)} for (let ${at} = 0; ${at} < ${value}.length; ${at}++) { ${items} }`;
      }
      case 'nullable':
        return `if (${value} !== null) { ${this.check(plan.value, value)} }`;
      case 'other':
        return failIf(`!matchesOther(${value}, ${this.others.push(plan.schema) - 1})`);
      default:
        return `${failIf(UNLESS[plan.kind](value))} ${this.#restrict(plan.restrictions, value)}`;
    }
  }

  #restrict(restrictions: readonly Restriction[], value: string): string {
    if (!this.#withRestrictions) return '';
    return restrictions.map((one) => failIf(one(value, this.#addConstant))).join(' ');
  }

  readonly #addConstant = (code: string): string => {
    const name = this.constants.get(code) ?? `constant${this.constants.size}`;
    this.constants.set(code, name);
    return name;
  };

  #addFunction(members: readonly PlannedMember[]): string {
    const checks = members.map(({ value }, at) => this.check(value, `m${at}`));
    const number = this.functions.length;
    const [names, bits] = [`names${number}`, `bits${number}`];
    const bitOf = (at: number): number => 2 ** at;
    const required = members.reduce((sum, { isRequired }, at) => sum + (isRequired ? bitOf(at) : 0), 0);
    const optional = members.map(({ isRequired }, at) =>
      isRequired ? '' : ` + (m${at} === undefined ? 0 : ${bitOf(at)})`,
    );
    this.functions.push(
      [
        `const ${names} = ${JSON.stringify(members.map(({ name }) => name))}, ${bits} = ${JSON.stringify(members.map((_, at) => bitOf(at)))};`,
        `const matches${number} = (value) => {`,
        failIf(
          `typeof value !== 'object' || value === null || value.toJSON !== undefined || !isPlain(value)`,
        ),
        'let at = 0, found = 0;',
        `for (const name in value) { if (${names}[at] !== name && (at = ${names}.indexOf(name)) < 0) return false; found += ${bits}[at++]; }`,
        ...members.map(({ name }, at) => `const m${at} = value[${JSON.stringify(name)}];`),
        failIf(`found !== ${required}${optional.join('')}`),
        ...checks.map((check, at) =>
          members[at]?.isRequired === true ? check : `if (m${at} !== undefined) { ${check} }`,
        ),
        'return true;',
        '};',
      ].join('\n'),
    );
    return `matches${number}`;
  }

  #variable(): string {
    return `v${this.#variables++}`;
  }
}
