import { isThenable, type MaybePromise } from '../../../framework';
import { PasswordEditError, type StoredUser, type UserChanges, type UserTable } from '../../mvc-auth';
import type { Row, SqlExecutor, SqlValue } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import type { ObservedAdapter } from '../adapters/observed/observed-adapter';
import type { UserColumn, UserColumns } from './user-columns';
import { flagParameter, groupsParameter, isSeparatedText, readUser } from './user-rows';
import { UserStatements } from './user-statements';

export interface DatabaseUserTableOptions {
  readonly adapter: ObservedAdapter;
  readonly title: string;
  readonly table: string;
  readonly columns: UserColumns;
  readonly warnings: readonly string[];
}

/** Users in a table of a database. */
export class DatabaseUserTable implements UserTable {
  readonly title: string;
  readonly warnings: readonly string[];
  readonly #adapter: ObservedAdapter;
  readonly #table: string;
  readonly #columns: UserColumns;
  readonly #statements: UserStatements;

  constructor({ adapter, title, table, columns, warnings }: DatabaseUserTableOptions) {
    this.title = title;
    this.warnings = warnings;
    this.#adapter = adapter;
    this.#table = table;
    this.#columns = columns;
    this.#statements = new UserStatements(adapter.dialect, table, columns);
  }

  find(name: string): MaybePromise<StoredUser | undefined> {
    const read = (rows: readonly Row[]): StoredUser | undefined => {
      const row = this.#only(rows, name);
      return row && readUser(row, this.#columns, this.#adapter.dialect);
    };
    // A text that is not a value of the column's type, such as `uuid`, is the name of nobody.
    const isUnknown = (error: unknown): undefined => {
      if (error instanceof DatabaseError && error.kind === 'invalid_value') return undefined;
      throw error;
    };
    const rows = this.#rows(this.#adapter, name);
    return isThenable(rows) ? rows.then(read, isUnknown) : read(rows);
  }

  async sampleHashes(): Promise<readonly string[]> {
    const { sample } = this.#statements;
    const rows = sample === undefined ? [] : await this.#adapter.execute(sample, []);
    return rows.flatMap(({ hash }) => (typeof hash === 'string' ? [hash] : []));
  }

  onChange(listener: () => void): () => void {
    return this.#adapter.onWrite(this.#table, listener);
  }

  async add(name: string, user: UserChanges): Promise<void> {
    const values = this.#values({ isEnabled: true, ...user }, undefined);
    await this.#write(async (executor) => {
      if ((await this.#rows(executor, name)).length > 0)
        throw new PasswordEditError(
          `The user "${name}" already exists in ${this.title}. To set another password, use "apidesc-platform user passwd".`,
        );
      const all: readonly (readonly [UserColumn, SqlValue])[] = [[this.#columns.name, name], ...values];
      await executor.execute(
        this.#statements.insert(all.map(([column]) => column)),
        all.map(([, value]) => value),
      );
    });
  }

  async change(name: string, changes: UserChanges): Promise<boolean> {
    return this.#write(async (executor) => {
      const row = this.#only(await this.#rows(executor, name), name);
      if (row === undefined) return false;
      const values = this.#values(changes, row);
      if (values.length === 0) return true;
      const statement = this.#statements.update(values.map(([column]) => column));
      await executor.execute(statement, [
        ...values.map(([, value]) => value),
        ...this.#statements.exactly(name),
      ]);
      return true;
    });
  }

  #rows(executor: SqlExecutor, name: string): MaybePromise<readonly Row[]> {
    return executor.execute(this.#statements.find, this.#statements.exactly(name));
  }

  /** A collation may find names that differ in case: those of rules, logs and Digest secrets do not. */
  #only(rows: readonly Row[], name: string): Row | undefined {
    const [row, ...others] = rows.filter((one) => one[this.#columns.name.name] === name);
    return others.length === 0 ? row : undefined;
  }

  /** @param row the user as stored; undefined for a new one */
  #values(changes: UserChanges, row: Row | undefined): readonly (readonly [UserColumn, SqlValue])[] {
    const { hash, ha1, groups, enabled } = this.#columns;
    const values: [UserColumn, SqlValue][] = [];
    if (hash !== undefined && changes.hash !== undefined) values.push([hash, changes.hash]);
    for (const [algorithm, column] of ha1) {
      const secret = changes.ha1?.[algorithm];
      if (secret !== undefined) values.push([column, secret]);
    }
    if (changes.groups !== undefined && (groups !== undefined || changes.groups.length > 0)) {
      if (groups === undefined) throw this.#lacks('groups', 'groups');
      const invalid = isSeparatedText(groups)
        ? changes.groups.find((group) => /[\s,]/.test(group) || group.startsWith('['))
        : undefined;
      if (invalid !== undefined)
        throw new PasswordEditError(
          `The group "${invalid}" contains white space or a comma, which separate the groups in the column "${groups.name}".`,
        );
      values.push([groups, groupsParameter(changes.groups, groups, row?.[groups.name])]);
    }
    if (changes.isEnabled !== undefined && (enabled !== undefined || row !== undefined)) {
      if (enabled === undefined) throw this.#lacks('enabled', 'disabled users');
      values.push([enabled, flagParameter(changes.isEnabled, enabled, this.#adapter.dialect)]);
    }
    return values;
  }

  #lacks(option: string, what: string): PasswordEditError {
    return new PasswordEditError(
      `The adapter names no column for ${what} of ${this.title}. Set "users.${option}" in its options.`,
    );
  }

  async #write<T>(action: (executor: SqlExecutor) => Promise<T>): Promise<T> {
    try {
      return await this.#adapter.transaction(action);
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const columns = error.columns.length === 0 ? '' : ` (columns: ${error.columns.join(', ')})`;
      const advice =
        error.kind === 'not_null'
          ? ' Columns that the adapter does not name need a default: add the user with SQL or the API of the table, then set the password with "apidesc-platform user passwd".'
          : '';
      throw new PasswordEditError(
        `${this.title[0]?.toUpperCase() ?? ''}${this.title.slice(1)} refuses the change: ${error.message}${columns}.${advice}`,
        {
          cause: error,
        },
      );
    }
  }
}
