import {
  sql,
  Kysely,
  DummyDriver,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type Dialect as KyselyDialect,
  type Driver,
  type RawBuilder,
} from 'kysely';
import { oncePer } from '../../../framework';
import type { Dialect, SqlStatement, SqlValue } from '../adapters/database-adapter';

/** A parameter of a statement, read from the input of each execution. */
export class Parameter<Input> {
  readonly read: (input: Input) => SqlValue;

  constructor(read: (input: Input) => SqlValue) {
    this.read = read;
  }
}

/** A statement that was compiled once, with the functions that read its parameters. */
export interface CompiledQuery<Input> {
  readonly statement: SqlStatement;
  parametersOf(input: Input): SqlValue[];
}

/** Parameters of one statement: both databases allow more. */
export const MAX_PARAMETERS = 30_000;

/** Tables are known at runtime only. */
export type Tables = Record<string, Record<string, unknown>>;

/** The dialect of Kysely for a database. */
export function kyselyDialect(dialect: Dialect, createDriver: () => Driver): KyselyDialect {
  return dialect === 'sqlite'
    ? {
        createAdapter: () => new SqliteAdapter(),
        createDriver,
        createIntrospector: (db) => new SqliteIntrospector(db),
        createQueryCompiler: () => new SqliteQueryCompiler(),
      }
    : {
        createAdapter: () => new PostgresAdapter(),
        createDriver,
        createIntrospector: (db) => new PostgresIntrospector(db),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      };
}

/** Returns a Kysely instance that compiles statements and executes none: all services of a dialect have the same. */
export const compilerOf = oncePer(
  (dialect: Dialect) => new Kysely<Tables>({ dialect: kyselyDialect(dialect, () => new DummyDriver()) }),
);

/** Compiles a statement whose values are `Parameter`s. */
export function compileQuery<Input>(
  compiler: Kysely<Tables>,
  query: RawBuilder<unknown>,
  options: Omit<SqlStatement, 'text'>,
): CompiledQuery<Input> {
  const { sql: text, parameters } = query.compile(compiler);
  const readers = parameters.map((parameter) => {
    if (parameter instanceof Parameter) return (parameter as Parameter<Input>).read;
    throw new TypeError(`A value in a statement is not a Parameter: ${String(parameter)}`);
  });
  return {
    statement: Object.freeze({ text, ...options }),
    parametersOf: (input) => {
      const values = new Array<SqlValue>(readers.length);
      for (let at = 0; at < readers.length; at++) values[at] = readers[at]?.(input) ?? null;
      return values;
    },
  };
}

/**
 * Compiles a page of rows from parts, whose rows follow one another.
 *
 * @param parts statements with the row limit of the page as the last parameter
 * @param names of what they select
 * @param limit the row limit of the page
 */
export function compileParts<Input>(
  compiler: Kysely<Tables>,
  parts: readonly RawBuilder<unknown>[],
  names: readonly string[],
  limit: RawBuilder<unknown>,
  options: Omit<SqlStatement, 'text' | 'parts'>,
): CompiledQuery<Input> {
  const list = sql.join(names.map((name) => sql.id(name)));
  const selections = parts.map((part) => sql`select ${list} from (${part})`);
  return compileQuery(compiler, sql`${sql.join(selections, sql` union all `)} limit ${limit}`, {
    ...options,
    parts: parts.map((part) => {
      const { sql: text, parameters } = part.compile(compiler);
      return { text, parameters: parameters.length };
    }),
  });
}
