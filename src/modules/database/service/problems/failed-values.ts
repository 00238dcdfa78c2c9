import { sql } from 'kysely';
import type { SqlValue } from '../../adapters/database-adapter';
import { DatabaseError, type DatabaseErrorKind, type Probe } from '../../adapters/database-error';
import type { ForeignKeyModel } from '../../introspection/table-model';
import { compilerOf } from '../../query/compiled-query';
import { defaultValue, tableReference } from '../../query/expressions';
import { arrayLiteral } from '../../schema/array-literal';
import type { EntityId } from '../../../hosting';
import { IDENTIFIER, type GivenValue } from '../../table/given-value';
import { refusedPart } from './refused-part';
import type { Table } from '../../table/table';
import { keyValue } from '../../table/table-key';

/** The values of an identifier. */
export function identifierValues(
  { keys }: Pick<Table, 'keys'>,
  id: EntityId | undefined,
): readonly GivenValue[] {
  if (id === undefined) return [];
  return keys.map((key) => ({ column: key.column, value: keyValue(key, id), at: IDENTIFIER }));
}

type FailedTable = Pick<Table, 'dialect' | 'foreignKeys'>;

/** Finds the values that a failed statement is about, where the database does not say; undefined if it cannot be read. */
export async function failedValues(
  error: DatabaseError,
  given: readonly GivenValue[],
  table: FailedTable,
): Promise<readonly GivenValue[] | undefined> {
  try {
    if (error.kind === 'foreign_key') return await missingReferences(error, given, table);
    return await invalidValues(error, given, table);
  } catch (failed) {
    // The statement itself is reported.
    if (failed instanceof DatabaseError) return undefined;
    throw failed;
  }
}

/** The values of foreign keys whose row does not exist; else those of keys with columns that are not given. */
async function missingReferences(
  { probe }: DatabaseError,
  given: readonly GivenValue[],
  { dialect, foreignKeys }: FailedTable,
): Promise<readonly GivenValue[]> {
  if (probe === undefined) return [];
  const missing: GivenValue[] = [];
  const unknown: GivenValue[] = [];
  for (const key of foreignKeys) {
    const values = key.columns.flatMap((name) => given.find(({ column }) => column.name === name) ?? []);
    // A row whose key is not written keeps what it refers to.
    if (!values.some(({ isWritten }) => isWritten === true) || values.some(({ value }) => value === null))
      continue;
    if (values.length < key.columns.length) {
      unknown.push(...values);
      continue;
    }
    const { text, parameters } = referenceQuery(key, values, dialect);
    if ((await probe(text, parameters)).length === 0) missing.push(...values);
  }
  return missing.length === 0 ? unknown : missing;
}

function referenceQuery(
  { table, references }: ForeignKeyModel,
  values: readonly GivenValue[],
  dialect: Table['dialect'],
): { readonly text: string; readonly parameters: readonly SqlValue[] } {
  const conditions = values.map(
    ({ column, value }, at) =>
      sql`${sql.id(references[at] ?? '')} = ${value === undefined ? defaultValue(column) : column.codec.toParameter(value)}`,
  );
  const query = sql`select 1 as found from ${tableReference({ name: table, dialect })} where ${sql.join(conditions, sql` and `)} limit 1`;
  const compiled = query.compile(compilerOf(dialect));
  return { text: compiled.sql, parameters: compiled.parameters as readonly SqlValue[] };
}

/** The places of values that their columns cannot have: of a list, one value. */
async function invalidValues(
  { columns, probe }: DatabaseError,
  given: readonly GivenValue[],
  { dialect }: FailedTable,
): Promise<readonly GivenValue[]> {
  const places = new Map<string, [GivenValue, ...GivenValue[]]>();
  for (const one of given) {
    const { column, value, at } = one;
    if (value === null || value === undefined) continue;
    if (columns.length > 0 && !columns.includes(column.name)) continue;
    const place = JSON.stringify([at, column.name]);
    const others = places.get(place);
    if (others === undefined) places.set(place, [one]);
    else others.push(one);
  }
  const found: GivenValue[] = [];
  for (const values of places.values())
    if (await isAnyInvalid(values, dialect === 'postgres' ? probe : undefined))
      found.push(values.find(({ value, column }) => refusedPart(value, column.model, dialect)) ?? values[0]);
  return found;
}

/** @param values of one place, and so of one column: one query reads all of them */
async function isAnyInvalid(
  values: readonly [GivenValue, ...GivenValue[]],
  probe: Probe | undefined,
): Promise<boolean> {
  const [{ column }] = values;
  const { codec, model } = column;
  const isArray = model.isArray === true;
  const texts: string[] = [];
  try {
    for (const { value, isWritten = false } of values) {
      const parameter = codec.toParameter(value);
      if (probe === undefined || typeof parameter === 'object') continue;
      const text = String(parameter);
      // An explicit conversion would cut it off.
      if (model.type !== 'text' || model.maxLength === undefined || isArray) texts.push(text);
      else if (isWritten && isLonger(text, model.maxLength)) return true;
    }
    if (probe === undefined || texts.length === 0) return false;
    // As statements convert it.
    const source = model.base === 'money' && !isArray ? 'cast(given as numeric)' : 'given';
    // A comparison has no precision: its value may be larger than the column can have.
    const isCompared =
      model.type === 'decimal' &&
      model.base !== 'money' &&
      !values.some(({ isWritten }) => isWritten === true);
    const type = isCompared ? `numeric${isArray ? '[]' : ''}` : model.declared;
    const query = `select count(cast(${source} as ${type})) from unnest(cast($1 as text[])) as given`;
    await probe(query, [arrayLiteral(texts)]);
    return false;
  } catch (error) {
    if (error instanceof DatabaseError && INVALID.includes(error.kind)) return true;
    throw error;
  }
}

/** Whether a column would cut off a text. Spaces at its end, the database removes by itself. */
function isLonger(text: string, maxLength: number): boolean {
  let length = 0;
  for (const character of text) if (++length > maxLength && character !== ' ') return true;
  return false;
}

/** Of values that cannot be converted; `check` is that of a domain. */
const INVALID: readonly DatabaseErrorKind[] = ['invalid_value', 'too_long', 'check'];
