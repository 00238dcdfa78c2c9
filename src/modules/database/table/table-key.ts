import type { TSchema } from '@sinclair/typebox';
import type { EntityId } from '../../hosting';
import type { Dialect } from '../adapters/database-adapter';
import { isStorable } from '../adapters/storable-value';
import { canonical, shortestDecimal } from '../schema/canonical-notation';
import type { Entity } from './entity';
import type { Table, TableKey } from './table';

type Keyed = Pick<Table, 'keys'>;

/** Returns the names of the columns that identify an entity. */
export function keyNames({ keys }: Keyed): readonly string[] {
  return keys.map(({ column }) => column.name);
}

export function isKey({ keys }: Keyed, name: string): boolean {
  return keys.some(({ column }) => column.name === name);
}

/** Returns the schemas of the route parameters that hold values of columns. */
export function keyParameters(
  columns: readonly (Pick<TableKey, 'column'> & { readonly parameter?: string })[],
): Readonly<Record<string, TSchema>> {
  return Object.fromEntries(
    columns.flatMap(({ column, parameter }) => {
      const { readOnly: _, ...schema } = column.schema;
      return parameter === undefined ? [] : [[parameter, schema]];
    }),
  );
}

/**
 * Adds the declared schemas of route parameters to those of the columns, keyword by keyword: a declaration that only
 * describes a parameter does not let values pass that its column cannot have, which PostgreSQL refuses.
 */
export function withDeclaredParameters(
  ofColumns: Readonly<Record<string, TSchema>>,
  declared: Readonly<Record<string, TSchema>> = {},
): Readonly<Record<string, TSchema>> {
  const merged = Object.entries(declared).map(([name, schema]): [string, TSchema] => {
    const known = ofColumns[name];
    return [name, known !== undefined && hasType(known, schema.type) ? withKeywords(known, schema) : schema];
  });
  return { ...ofColumns, ...Object.fromEntries(merged) };
}

function withKeywords(known: TSchema, declared: TSchema): TSchema {
  const merged = { ...known, ...declared };
  // That of a member need not exist; readers fill in the identifier of an entity that does.
  if (declared.examples === undefined) delete merged.examples;
  // Such identifiers match no row, but only after authentication, which answers all paths of a service alike.
  if (declared.format === undefined) delete merged.format;
  return merged;
}

/** Keywords of one type mean nothing to another one. */
function hasType(schema: TSchema, type: unknown): boolean {
  const known: unknown = schema.type;
  return type === undefined || known === type || (Array.isArray(known) && known.includes(type));
}

/**
 * Returns the value of a key column in an identifier. Route parameters are texts: those of numeric columns become
 * numbers, those of boolean columns true or false, in their only notation, so that an entity has one URL. Any other text
 * matches no row, like one that no column can have.
 */
export function keyValue({ column, parameter }: TableKey, id: EntityId): unknown {
  const text = typeof id === 'string' ? id : (id[parameter] ?? '');
  const { type } = column.model;
  if (text.includes('\0')) return null;
  if (type === 'bigint') return INT64.test(text) && isStorable(BigInt(text)) ? text : null;
  if (type === 'uuid') return UUID.test(text) ? text.toLowerCase() : null;
  if (type === 'boolean') return text === 'true' || (text === 'false' ? false : null);
  if (type !== 'integer' && type !== 'number') return text;
  const value = Number(text);
  return String(value) === text && Number.isFinite(value) ? value : null;
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const INT64 = /^(?:0|-?[1-9]\d{0,18})$/;

/** Returns the key columns of an identifier. */
export function keyColumns({ keys }: Keyed, id: EntityId): Entity {
  return Object.fromEntries(keys.map((key) => [key.column.name, keyValue(key, id)]));
}

/** Whether a value in a body is that of a route parameter. */
export function isSameValue(key: TableKey, given: unknown, id: EntityId, dialect: Dialect): boolean {
  return given !== null && keyText(key, given, dialect) === keyText(key, keyValue(key, id), dialect);
}

/** The keys of which a body has another text than the URL. */
export function differentKeys(
  table: Keyed & Pick<Table, 'dialect'>,
  id: EntityId,
  data: Entity,
): readonly TableKey[] {
  const { keys, dialect } = table;
  return keys.filter((key) => {
    const value = data[key.column.name];
    return value !== undefined && !isSameValue(key, value, id, dialect);
  });
}

/** Returns the key columns that a body has, as texts in one notation. */
export function canonicalKeys({ keys, dialect }: Keyed & Pick<Table, 'dialect'>, data: Entity): Entity {
  return Object.fromEntries(
    keys.flatMap((key): [string, string][] => {
      const value = data[key.column.name];
      if (value === undefined) return [];
      // PostgreSQL stores the zeros of a decimal: a new row has those of its body.
      const isKept = key.column.model.type === 'decimal' && typeof value === 'string';
      return [[key.column.name, isKept ? value : keyText(key, value, dialect)]];
    }),
  );
}

/** Returns an identifier with its texts in one notation. */
export function canonicalId({ keys, dialect }: Keyed & Pick<Table, 'dialect'>, id: EntityId): EntityId {
  const texts = keys.map((key): [string, string] => {
    const text = typeof id === 'string' ? id : (id[key.parameter] ?? '');
    return [key.parameter, keyText(key, text, dialect)];
  });
  return typeof id === 'string' ? (texts[0]?.[1] ?? id) : Object.fromEntries(texts);
}

/** A number and its text are the same key, as are the notations of a decimal. */
function keyText({ column: { model } }: TableKey, value: unknown, dialect: Dialect): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (model.type === 'bigint' && DIGITS.test(text)) return BigInt(text).toString();
  if (model.type === 'decimal' && DECIMAL.test(text)) return shortestDecimal(text);
  return canonical(text, model.type, dialect);
}

const DIGITS = /^-?\d{1,19}$/;
const DECIMAL = /^-?\d+(?:\.\d+)?$/;
