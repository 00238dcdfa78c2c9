import { Type, type TSchema } from '@sinclair/typebox';
import type { Dialect } from '../adapters/database-adapter';
import { nativeSchema } from './native-types';
import type { ColumnConstraints, ColumnModel, ColumnType } from '../introspection/table-model';

/** Keywords of a column in a declaration. */
export interface ColumnSettings {
  readonly description?: string;
  /** JSON Schema keywords that replace or add to those of the database. */
  readonly schema?: Readonly<Record<string, unknown>>;
  /** Never writable by clients. */
  readonly read_only?: boolean;
}

const SAFE = Number.MAX_SAFE_INTEGER;

/** The schema of a value of a type, as it appears in JSON. */
function typeSchema(
  type: ColumnType,
  { precision, scale, declared, base = '' }: ColumnModel,
  dialect: Dialect,
): TSchema {
  switch (type) {
    case 'boolean':
      return Type.Boolean();
    case 'integer':
      return Type.Integer(integerRange(declared, dialect));
    case 'bigint':
      return Type.String({ pattern: '^-?\\d{1,19}$', examples: ['9007199254740993'] });
    case 'number':
      return Type.Number();
    case 'decimal':
      return Type.String({ pattern: decimalPattern(precision, scale), examples: ['12.50'] });
    case 'date':
      return Type.String({ format: 'date' });
    case 'timestamptz':
      return Type.String({ format: 'date-time' });
    case 'timestamp':
      return Type.String({ format: 'iso-date-time' });
    case 'time':
      return Type.String({ format: 'iso-time' });
    case 'uuid':
      return Type.String({ format: 'uuid' });
    case 'json':
      return Type.Unknown();
    case 'binary':
      return Type.String({ format: 'byte' });
    case 'native':
      return nativeSchema(base, declared);
    default:
      return Type.String();
  }
}

/** The range of the declared integer type, so that a number that does not fit is 422 and not a failed statement. */
function integerRange(
  declared: string,
  dialect: Dialect,
): { readonly minimum: number; readonly maximum: number } {
  if (dialect === 'sqlite') return { minimum: -SAFE, maximum: SAFE };
  const limit = /^(smallint|int2)/i.test(declared) ? 2 ** 15 : 2 ** 31;
  return { minimum: -limit, maximum: limit - 1 };
}

function decimalPattern(precision: number | undefined, scale = 0): string {
  if (precision === undefined) return '^-?\\d+(\\.\\d+)?$';
  const whole = Math.max(precision - scale, 1);
  // A negative scale rounds digits before the point (PostgreSQL).
  return scale <= 0 ? `^-?\\d{1,${whole}}$` : `^-?\\d{1,${whole}}(\\.\\d{1,${scale}})?$`;
}

/**
 * Returns the schema of a column's values: its type, length, values and simple CHECK clauses, overridden by the
 * declaration. Null is allowed where the column is nullable.
 */
export function columnSchema(column: ColumnModel, settings: ColumnSettings, dialect: Dialect): TSchema {
  const { type, values, constraints, maxLength, comment, isArray = false, dimensions = 1 } = column;
  // Runs for every column of every table at the start: adds members one by one, which takes less than spreading them.
  const item = typeSchema(type, column, dialect);
  if (maxLength !== undefined && type === 'text') item.maxLength = maxLength;
  // Of the digits of a number, which are a text, JSON Schema has no bounds.
  const hasKeywords = type !== 'bigint' && type !== 'decimal';
  if (constraints !== undefined && hasKeywords) Object.assign(item, tighter(item, constraints));
  if (values !== undefined) item.enum = [...values];
  // Any item of an array of PostgreSQL may be null (8.15), also where the column is NOT NULL.
  const generated: TSchema = isArray ? Type.Array(itemsOf(nullable(item), dimensions)) : item;
  const value = settings.schema === undefined ? generated : { ...generated, ...settings.schema };
  const schema = column.isNullable ? nullable(value) : value;
  const description = settings.description ?? comment;
  if (description !== undefined) schema.description = description;
  if (isReadOnly(column, settings)) schema.readOnly = true;
  return schema;
}

function itemsOf(item: TSchema, dimensions: number): TSchema {
  return dimensions > 1 ? Type.Union([item, Type.Array(itemsOf(item, dimensions - 1))]) : item;
}

/** CHECK clauses may be wider than the type: the narrower bound holds. */
function tighter(type: TSchema, constraints: ColumnConstraints): object {
  const { minimum, maximum } = constraints;
  const lower: unknown = type.minimum;
  const upper: unknown = type.maximum;
  return {
    ...constraints,
    ...(minimum === undefined || typeof lower !== 'number' ? {} : { minimum: Math.max(minimum, lower) }),
    ...(maximum === undefined || typeof upper !== 'number' ? {} : { maximum: Math.min(maximum, upper) }),
  };
}

export function isReadOnly(column: ColumnModel, settings: ColumnSettings): boolean {
  return settings.read_only === true || column.generated !== undefined || column.type === 'other';
}

/** Adds null to the values of a new schema. */
function nullable(schema: TSchema): TSchema {
  // Every value of JSON, which includes null.
  if (schema.type === undefined && schema.anyOf === undefined && schema.enum === undefined) return schema;
  const { type, enum: values } = schema as { type?: string; enum?: readonly unknown[] };
  if (type !== undefined) schema.type = [type, 'null'];
  if (values !== undefined) schema.enum = [...values, null];
  return schema;
}
