import type { Dialect, SqlStatement } from '../adapters/database-adapter';
import { quotedName, quotedTable } from '../adapters/postgres/qualified-name';
import { exactSuffix } from '../schema/exact-texts';
import type { UserColumn, UserColumns } from './user-columns';

/** The statements over a table of users. Values are parameters, in the order of the columns. */
export class UserStatements {
  readonly #dialect: Dialect;
  readonly #table: string;
  readonly #columns: UserColumns;
  /** That of an exact comparison of the name, if its column does not compare so by itself. */
  readonly #suffix: string | undefined;
  /** Parameters: {@link exactly} the name. Two rows at most: a name that is not unique belongs to nobody. */
  readonly find: SqlStatement;
  /** Some password hashes; undefined without their column. */
  readonly sample: SqlStatement | undefined;

  /** @param table as the database names it, with its schema if it is not the default one */
  constructor(dialect: Dialect, table: string, columns: UserColumns) {
    this.#dialect = dialect;
    this.#table = quotedTable(table, dialect);
    this.#columns = columns;
    this.#suffix = exactSuffix(columns.name.model, dialect);
    const { name, hash, ha1, groups, enabled } = columns;
    const all = [name, hash, ...ha1.map(([, column]) => column), groups, enabled];
    // Two options may name one column.
    const selected = new Map(all.flatMap((one) => (one === undefined ? [] : [[one.name, one] as const])));
    const list = [...selected.values()].map((column) => this.#selected(column)).join(', ');
    this.find = {
      text: `select ${list} from ${this.#table} where ${this.#isExactly(1)} limit 2`,
      kind: 'read',
    };
    this.sample = hash && {
      text: `select ${quotedName(hash.name)} as hash from ${this.#table} where ${quotedName(hash.name)} is not null limit 100`,
      kind: 'read',
    };
  }

  /** Parameters: the values of the columns. */
  insert(columns: readonly UserColumn[]): SqlStatement {
    const names = columns.map(({ name }) => quotedName(name)).join(', ');
    const values = columns.map((_, at) => this.#parameter(at + 1)).join(', ');
    return { text: `insert into ${this.#table} (${names}) values (${values})`, kind: 'write', adHoc: true };
  }

  /** Parameters: the values of the columns, then {@link exactly} the name. Returns a row for each changed one. */
  update(columns: readonly UserColumn[]): SqlStatement {
    const set = columns.map(({ name }, at) => `${quotedName(name)} = ${this.#parameter(at + 1)}`).join(', ');
    const condition = this.#isExactly(columns.length + 1);
    return {
      text: `update ${this.#table} set ${set} where ${condition} returning ${quotedName(this.#columns.name.name)}`,
      kind: 'write',
      adHoc: true,
    };
  }

  /** The parameters of a condition that only this name meets, in any collation. */
  exactly(name: string): readonly string[] {
    return this.#suffix === undefined ? [name] : [name, name];
  }

  /** The first comparison is one that an index of the column serves. */
  #isExactly(at: number): string {
    const name = quotedName(this.#columns.name.name);
    const found = `${name} = ${this.#parameter(at)}`;
    return this.#suffix === undefined
      ? found
      : `${found} and ${name}${this.#suffix} = ${this.#parameter(at + 1)}`;
  }

  #selected({ name, model }: UserColumn): string {
    if (this.#dialect === 'sqlite') return quotedName(name);
    if (model.isArray === true)
      return `cast(array_to_json(${quotedName(name)}) as text) as ${quotedName(name)}`;
    return model.type === 'boolean' || model.type === 'integer'
      ? quotedName(name)
      : `cast(${quotedName(name)} as text) as ${quotedName(name)}`;
  }

  #parameter(at: number): string {
    return this.#dialect === 'sqlite' ? '?' : `$${at}`;
  }
}
