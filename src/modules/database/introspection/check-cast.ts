import type { CheckExpression } from './check-expression';
import { UNKNOWN } from './check-expression';

const TEXTS = new Set(['text', 'character varying', 'varchar', 'bpchar']);
const INTEGERS = new Set(['smallint', 'integer', 'bigint']);
const NUMBERS = new Set([...INTEGERS, 'numeric', 'real', 'double precision']);

/** An operand cast to a type, without a length: itself if the cast changes no value, otherwise unknown. */
export function castTo(operand: CheckExpression, type: string): CheckExpression {
  switch (operand.type) {
    case 'column':
      return TEXTS.has(type) || type === 'numeric' ? operand : UNKNOWN;
    case 'length':
      return INTEGERS.has(type) || type === 'numeric' ? operand : UNKNOWN;
    case 'list':
      return { type: 'list', items: operand.items.map((item) => castTo(item, type)) };
    case 'value':
      return castValue(operand.value, type);
    default:
      return UNKNOWN;
  }
}

/** PostgreSQL prints negative numbers as `'-5'::integer`. */
function castValue(value: string | number, type: string): CheckExpression {
  if (typeof value === 'string' && TEXTS.has(type)) return { type: 'value', value };
  if (!NUMBERS.has(type) || !/^-?\d+(?:\.\d+)?$/.test(String(value))) return UNKNOWN;
  const number = Number(value);
  const isKept = INTEGERS.has(type)
    ? Number.isSafeInteger(number)
    : type !== 'real' || Math.fround(number) === number;
  return isKept ? { type: 'value', value: number } : UNKNOWN;
}
