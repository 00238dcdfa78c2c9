import type { Dialect, SqlValue } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import { integerParameter, isStorable } from '../adapters/storable-value';
import { canonical } from './canonical-notation';
import { arrayLiteral } from './array-literal';

/**
 * Converts a value of a query to a parameter: also booleans, dates, lists and objects, as the drivers expect them.
 * @param isReal whether numbers are binary ones, also whole numbers
 * @throws DatabaseError for one that the database cannot store
 */
export function toParameter(value: unknown, dialect: Dialect, isReal = false): SqlValue {
  const parameter = parameterOf(value, dialect, isReal);
  if (isStorable(parameter)) return parameter;
  throw new DatabaseError('invalid_value', 'A parameter of a statement cannot have this value.');
}

function parameterOf(value: unknown, dialect: Dialect, isReal: boolean): SqlValue {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'bigint') return value;
  if (typeof value === 'number') return dialect === 'sqlite' && !isReal ? integerParameter(value) : value;
  if (typeof value === 'boolean') return dialect === 'sqlite' ? integerParameter(value) : String(value);
  if (value instanceof Uint8Array) return value;
  if (value instanceof Date) return canonical(value.toISOString(), 'timestamptz', dialect);
  if (Array.isArray(value) && dialect === 'postgres') return arrayLiteral(value);
  return JSON.stringify(value);
}
