import type { CheckExpression } from './check-expression';
import { parseCheckExpression } from './check-syntax';
import { toEcmaScriptPattern } from './posix-pattern';
import type { ColumnConstraints } from './table-model';

/** What a CHECK clause requires of the values of one column that are not NULL. */
export interface ColumnCheck {
  readonly constraints: ColumnConstraints;
  /** The only values that it allows. */
  readonly values?: readonly (string | number)[];
}

type Checks = ReadonlyMap<string, ColumnCheck>;

const NOTHING: Checks = new Map();

/**
 * Reads the constraints that a CHECK clause implies, by column: comparisons with constants, lengths, lists of values
 * and patterns, alone or combined with AND. What it does not understand is left out: every value that satisfies the
 * clause satisfies the constraints.
 *
 * @param clause an expression, or what `pg_get_constraintdef` prints: `CHECK ((price >= 0))`
 */
export function parseCheckClause(clause: string): Checks {
  // Rows from before a constraint that is not valid need not satisfy it.
  if (/\bNOT VALID\s*$/.test(clause)) return NOTHING;
  const [, inner] = /^\s*CHECK\s*\((.*)\)(?:\s*NO INHERIT)?\s*$/s.exec(clause) ?? [];
  const expression = parseCheckExpression(inner ?? clause);
  return expression === undefined ? NOTHING : checksOf(expression);
}

function checksOf(expression: CheckExpression): Checks {
  switch (expression.type) {
    case 'and':
      return expression.items.map(checksOf).reduce(merge);
    case 'or':
      return nullableChecks(expression.items);
    case 'in':
      return membership(expression.subject, expression.values);
    case 'compare':
      return comparison(expression.operator, expression.left, expression.right);
    default:
      return NOTHING;
  }
}

/** `column IS NULL OR …` says the same of values that are not NULL as what follows. */
function nullableChecks(items: readonly CheckExpression[]): Checks {
  const [first, second] = items;
  if (items.length !== 2 || first === undefined || second === undefined) return NOTHING;
  const [test, other] = first.type === 'isNull' ? [first, second] : [second, first];
  if (test.type !== 'isNull' || test.subject.type !== 'column') return NOTHING;
  const { name } = test.subject;
  const check = checksOf(other).get(name);
  return check === undefined ? NOTHING : new Map([[name, check]]);
}

function membership(subject: CheckExpression, items: readonly CheckExpression[]): Checks {
  if (subject.type !== 'column') return NOTHING;
  const values = items.flatMap((item) => (item.type === 'value' ? [item.value] : []));
  // With NULL in the list, or a column, any value may satisfy it.
  if (values.length !== items.length || values.length === 0) return NOTHING;
  return new Map([[subject.name, { constraints: {}, values: [...new Set(values)] }]]);
}

const MIRRORED: Readonly<Record<string, string>> = { '<': '>', '<=': '>=', '>': '<', '>=': '<=' };

function comparison(operator: string, left: CheckExpression, right: CheckExpression): Checks {
  if (left.type === 'value' && (right.type === 'column' || right.type === 'length'))
    return operator.includes('~') ? NOTHING : comparison(MIRRORED[operator] ?? operator, right, left);
  if (right.type !== 'value') return NOTHING;
  const { value } = right;
  if (left.type === 'length')
    return typeof value === 'number' ? only(left.name, lengthConstraints(operator, value)) : NOTHING;
  if (left.type !== 'column') return NOTHING;
  if (operator === '=' || operator === '==') return membership(left, [right]);
  return only(
    left.name,
    typeof value === 'number' ? bounds(operator, value) : textConstraints(operator, value),
  );
}

function only(name: string, constraints: ColumnConstraints | undefined): Checks {
  return constraints === undefined ? NOTHING : new Map([[name, { constraints }]]);
}

function bounds(operator: string, value: number): ColumnConstraints | undefined {
  switch (operator) {
    case '>=':
      return { minimum: value };
    case '<=':
      return { maximum: value };
    case '>':
      return { exclusiveMinimum: value };
    case '<':
      return { exclusiveMaximum: value };
    default:
      return undefined;
  }
}

function textConstraints(operator: string, value: string): ColumnConstraints | undefined {
  if (operator === '<>' || operator === '!=') return value === '' ? { minLength: 1 } : undefined;
  const pattern = operator === '~' ? toEcmaScriptPattern(value) : undefined;
  return pattern === undefined ? undefined : { pattern };
}

function lengthConstraints(operator: string, value: number): ColumnConstraints | undefined {
  const { minLength, maxLength } = lengths(operator, value);
  if (maxLength !== undefined && maxLength < 0) return undefined;
  return {
    ...(minLength === undefined || minLength <= 0 ? {} : { minLength }),
    ...(maxLength === undefined ? {} : { maxLength }),
  };
}

function lengths(
  operator: string,
  value: number,
): { readonly minLength?: number; readonly maxLength?: number } {
  switch (operator) {
    case '>=':
      return { minLength: Math.ceil(value) };
    case '>':
      return { minLength: Math.floor(value) + 1 };
    case '<=':
      return { maxLength: Math.floor(value) };
    case '<':
      return { maxLength: Math.ceil(value) - 1 };
    case '=':
    case '==':
      return Number.isInteger(value) ? { minLength: value, maxLength: value } : {};
    case '<>':
    case '!=':
      return value === 0 ? { minLength: 1 } : {};
    default:
      return {};
  }
}

/** The checks of both clauses. */
function merge(left: Checks, right: Checks): Checks {
  const merged = new Map(left);
  for (const [name, check] of right) {
    const other = merged.get(name);
    merged.set(name, other === undefined ? check : mergeChecks(other, check));
  }
  return merged;
}

const LOWER_BOUNDS = new Set<keyof ColumnConstraints>(['minimum', 'exclusiveMinimum', 'minLength']);

/** What both say of one column: the tighter bounds, and the values that both allow. Of two patterns, the first. */
export function mergeChecks(left: ColumnCheck, right: ColumnCheck): ColumnCheck {
  const constraints: Record<string, unknown> = { ...right.constraints, ...left.constraints };
  for (const name of [
    'minimum',
    'maximum',
    'exclusiveMinimum',
    'exclusiveMaximum',
    'minLength',
    'maxLength',
  ] as const) {
    const bounds = [left.constraints[name], right.constraints[name]].filter((bound) => bound !== undefined);
    if (bounds.length > 0)
      constraints[name] = LOWER_BOUNDS.has(name) ? Math.max(...bounds) : Math.min(...bounds);
  }
  const allowed = right.values === undefined ? undefined : new Set(right.values);
  const values =
    allowed === undefined
      ? left.values
      : (left.values?.filter((value) => allowed.has(value)) ?? right.values);
  return { constraints, ...(values === undefined ? {} : { values }) };
}
