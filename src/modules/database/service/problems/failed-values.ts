import { sql } from 'kysely';
import type { SqlValue } from '../../adapters/database-adapter';
import { DatabaseError, type Probe } from '../../adapters/database-error';
import type { ForeignKeyModel } from '../../introspection/table-model';
import { compilerOf } from '../../query/compiled-query';
import { tableReference } from '../../query/expressions';
import type { EntityId } from '../../../hosting';
import { IDENTIFIER, type GivenValue } from './given-value';
import type { Table } from '../table';
import { keyValue } from '../keys/table-key';

/** The values of an identifier. */
export function identifierValues(
  { keys }: Pick<Table, 'keys'>,
  id: EntityId | undefined,
): readonly GivenValue[] {
  if (id === undefined) return [];
  return keys.map((key) => ({ column: key.column, value: keyValue(key, id), at: IDENTIFIER }));
}

type FailedTable = Pick<Table, 'dialect' | 'foreignKeys'>;

/** Finds the values that a failed statement is about, where the database does not say; none if it cannot be known. */
export async function failedValues(
  error: DatabaseError,
  given: readonly GivenValue[],
  table: FailedTable,
): Promise<readonly GivenValue[]> {
  try {
    if (error.kind === 'foreign_key') return await missingReferences(error, given, table);
    return await invalidValues(error, given, table);
  } catch (failed) {
    // The statement itself is reported.
    if (failed instanceof DatabaseError || isDriverError(failed)) return [];
    throw failed;
  }
}

/** Errors of `pg`, which a probe does not convert. */
function isDriverError(error: unknown): boolean {
  return error instanceof Error && 'code' in error;
}

/** The values of foreign keys whose row does not exist. A key with a column that is not given is not examined. */
async function missingReferences(
  { probe }: DatabaseError,
  given: readonly GivenValue[],
  { dialect, foreignKeys }: FailedTable,
): Promise<readonly GivenValue[]> {
  if (probe === undefined) return [];
  const missing: GivenValue[] = [];
  for (const key of foreignKeys) {
    const values = key.columns.flatMap((name) => given.find(({ column }) => column.name === name) ?? []);
    const isComplete = values.length === key.columns.length;
    if (!isComplete || values.some(({ value }) => value === null || value === undefined)) continue;
    const { text, parameters } = referenceQuery(key, values, dialect);
    if ((await probe(text, parameters)).length === 0) missing.push(...values);
  }
  return missing;
}

function referenceQuery(
  { table, references }: ForeignKeyModel,
  values: readonly GivenValue[],
  dialect: Table['dialect'],
): { readonly text: string; readonly parameters: readonly SqlValue[] } {
  const conditions = values.map(
    ({ column, value }, at) => sql`${sql.id(references[at] ?? '')} = ${column.codec.toParameter(value)}`,
  );
  const query = sql`select 1 as found from ${tableReference({ name: table, dialect })} where ${sql.join(conditions, sql` and `)} limit 1`;
  const compiled = query.compile(compilerOf(dialect));
  return { text: compiled.sql, parameters: compiled.parameters as readonly SqlValue[] };
}

/** The values that their columns cannot have. */
async function invalidValues(
  { columns, probe }: DatabaseError,
  given: readonly GivenValue[],
  { dialect }: FailedTable,
): Promise<readonly GivenValue[]> {
  const found: GivenValue[] = [];
  for (const one of given) {
    if (one.value === null || one.value === undefined) continue;
    if (columns.length > 0 && !columns.includes(one.column.name)) continue;
    if (await isInvalid(one, dialect === 'postgres' ? probe : undefined)) found.push(one);
  }
  return found;
}

async function isInvalid({ column, value }: GivenValue, probe: Probe | undefined): Promise<boolean> {
  const { codec, model } = column;
  let parameter: SqlValue;
  try {
    parameter = codec.toParameter(value);
  } catch (error) {
    if (error instanceof DatabaseError) return true;
    throw error;
  }
  if (probe === undefined || typeof parameter === 'object') return false;
  // An explicit conversion would cut it off; spaces at its end, the database removes by itself.
  if (model.type === 'text' && model.maxLength !== undefined && model.isArray !== true)
    return Array.from(String(parameter).replace(/ +$/, '')).length > model.maxLength;
  try {
    // As statements convert it.
    const text = 'cast($1 as text)';
    const source = model.base === 'money' && model.isArray !== true ? `cast(${text} as numeric)` : text;
    await probe(`select 1 where cast(${source} as ${model.declared}) is null`, [String(parameter)]);
    return false;
  } catch (error) {
    if (isDriverError(error)) return INVALID.test(String(Reflect.get(error as object, 'code')));
    throw error;
  }
}

/** Data exceptions, and the CHECK of a domain (PostgreSQL, Appendix A). */
const INVALID = /^(?:22|23514|54000)/;
