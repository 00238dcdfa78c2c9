import { randomBytes } from 'node:crypto';
import type { ColumnModel } from '../introspection/table-model';
import type { DatabaseAdapter, Row, SqlExecutor } from '../adapters/database-adapter';
import { columnModel, type ColumnRow } from '../adapters/postgres/introspection/column-model';
import { sqlStateOf } from '../adapters/postgres/postgres-errors';
import { DESCRIBED_TYPES } from '../adapters/postgres/introspection/introspection-query';
import { statementsOf } from '../migrations/sql-statements';
import type { StatementDescription } from './statement-description';

/** Prepared under a name, a statement is analyzed and not executed. Names of failed ones may remain in a session. */
const prepare = (name: string): string => `PREPARE ${name} AS `;
const newName = (): string => `platform_${randomBytes(8).toString('hex')}`;

/** The length of what precedes the statement, for the positions of errors. */
export const PREFIX_LENGTH = prepare(newName()).length;

const RESULT_TABLE = 'platform_described_result';

const PARAMETERS = `SELECT array_to_json(parameter_types::oid[]::int8[])::text AS types FROM pg_prepared_statements
  WHERE name = $1`;

const COLUMNS = `SELECT json_agg(json_build_object('name', attname, 'type', atttypid::int8) ORDER BY attnum)::text AS columns
  FROM pg_attribute WHERE attrelid = 'pg_temp.${RESULT_TABLE}'::regclass AND attnum > 0`;

const TYPES = `WITH RECURSIVE ${DESCRIBED_TYPES}
  SELECT json_build_object('oid', d.oid::int8, 'name', '', 'declared', format_type(d.oid, NULL), 'type', d.name,
    'typmod', d.typmod, 'is_array', d.is_array, 'labels', d.labels, 'domain_checks', ARRAY[]::text[],
    'is_deterministic', true, 'is_nullable', true, 'default', NULL, 'is_identity', false, 'is_computed', false, 'comment', NULL)::text AS type
  FROM described d WHERE d.oid = ANY ($1::int8[]::oid[])`;

/** The first words of statements whose result can be described; PostgreSQL describes no others. */
const SELECTING: ReadonlySet<string | undefined> = new Set(['SELECT', 'VALUES', 'WITH', 'TABLE']);

/** The first words of statements that change data. */
const WRITING: ReadonlySet<string | undefined> = new Set(['INSERT', 'UPDATE', 'DELETE', 'MERGE', 'CALL']);

/** The end of a transaction that leaves nothing behind. */
class Described extends Error {
  readonly description: StatementDescription;

  constructor(description: StatementDescription) {
    super('The statement is described.');
    this.description = description;
  }
}

/** Describes a statement without executing it. @throws DatabaseError for one that PostgreSQL cannot analyze */
export async function describePostgres(
  adapter: DatabaseAdapter,
  text: string,
): Promise<StatementDescription> {
  const withResult = SELECTING.has(firstWord(text)) && !/\b(?:insert|update|delete|merge)\b/i.test(text);
  try {
    return await describe(adapter, text, withResult);
  } catch (error) {
    if (withResult && isIndescribable(error)) return describe(adapter, text, false);
    throw error;
  }
}

/** What kind of statement it is, after comments and parentheses. */
function firstWord(text: string): string | undefined {
  return statementsOf(text, 'postgres')[0]?.words.find((word) => word !== '(');
}

/** Whether no table can have the columns of a result, such as that of a function without one (invalid_table_definition). */
function isIndescribable(error: unknown): boolean {
  return sqlStateOf(error) === '42P16';
}

async function describe(
  adapter: DatabaseAdapter,
  text: string,
  withResult: boolean,
): Promise<StatementDescription> {
  try {
    return await adapter.transaction(async (executor) => {
      throw new Described(await descriptionOf(executor, text, withResult));
    });
  } catch (error) {
    if (error instanceof Described) return error.description;
    throw error;
  }
}

async function descriptionOf(
  executor: SqlExecutor,
  text: string,
  withResult: boolean,
): Promise<StatementDescription> {
  const run = (sql: string, ...values: readonly string[]) => rowsOf(executor, sql, values);
  const name = newName();
  await run(`${prepare(name)}${text}`);
  const parameters = jsonOf(await run(PARAMETERS, name), 'types') as readonly number[];
  const nulls = parameters.length === 0 ? '' : `(${parameters.map(() => 'NULL').join(', ')})`;
  if (withResult)
    await run(`CREATE TEMP TABLE ${RESULT_TABLE} ON COMMIT DROP AS EXECUTE ${name}${nulls} WITH NO DATA`);
  await run(`DEALLOCATE ${name}`);
  const columns = withResult
    ? (jsonOf(await run(COLUMNS), 'columns') as readonly { name: string; type: number }[])
    : [];
  const types = await typesOf(executor, [...parameters, ...columns.map(({ type }) => type)]);
  return {
    parameters: parameters.map((oid) => types.get(oid)),
    columns: withResult
      ? columns.map(({ name: column, type }) => ({ name: column, model: types.get(type) }))
      : undefined,
    writes: WRITING.has(firstWord(text)),
  };
}

/** Returns types of PostgreSQL as those of columns. */
export async function typesOf(
  executor: SqlExecutor,
  oids: readonly number[],
): Promise<ReadonlyMap<number, ColumnModel>> {
  const rows = await rowsOf(executor, TYPES, [`{${oids.join(',')}}`]);
  return new Map(
    rows.map((row) => {
      const { oid, ...type } = JSON.parse(String(row.type)) as ColumnRow & { readonly oid: number };
      return [oid, columnModel(type)];
    }),
  );
}

async function rowsOf(
  executor: SqlExecutor,
  text: string,
  values: readonly string[] = [],
): Promise<readonly Row[]> {
  return executor.execute({ text, kind: 'write', adHoc: true }, values);
}

function jsonOf([row]: readonly Row[], name: string): unknown {
  const json = row?.[name];
  return typeof json === 'string' ? JSON.parse(json) : [];
}
