import { lazily } from '../../../framework';
import type { Validator, Validators } from '../../content-validation';
import type { TableAccess } from '../service/table-access';
import type { Entity } from '../table/entity';
import type { TableColumnInfo } from '../table/table';
import { columnSchema } from '../schema/column-schema';

type ColumnType = TableColumnInfo['model']['type'];

interface Column {
  readonly type: ColumnType;
  /** Says why it cannot have a value. */
  readonly check: (value: unknown) => string | undefined;
}

/**
 * Checks the values that hooks return, which no schema of a body has checked: SQLite stores values of any type in most
 * columns. Lengths, ranges and other rules are those of the database.
 */
export class HookValues {
  readonly #access: Pick<TableAccess, 'table' | 'service'>;
  readonly #columns: ReadonlyMap<string, Column>;

  constructor(access: Pick<TableAccess, 'table' | 'service'>, validators: Validators) {
    const { dialect, columns } = access.table;
    this.#access = access;
    this.#columns = new Map(
      columns.map((column) => [
        column.name,
        { type: column.model.type, check: columnCheck(column, dialect, validators) },
      ]),
    );
  }

  /**
   * @param hook its name
   * @param values what it has returned
   * @param given what it was called with
   * @returns the values to write
   * @throws TypeError for values of unknown columns, and for those that their columns cannot have
   */
  checked(hook: string, values: unknown, given: unknown): unknown {
    if (values === undefined || values === null) return given;
    const { table, service } = this.#access;
    const sent = given as Entity;
    const checked = Object.entries(values as Entity).map(([name, value]): [string, unknown] => {
      const column = this.#columns.get(name);
      if (column === undefined) {
        throw new TypeError(
          `The hook ${hook} of ${service} returned "${name}", which is not among its columns: ${table.columns.map((column) => column.name).join(', ')}.`,
        );
      }
      const own = value instanceof Date ? dateText(value, column.type) : value;
      const error = own === sent[name] ? undefined : column.check(own);
      if (error === undefined) return [name, own];
      throw new TypeError(
        `The hook ${hook} of ${service} returned ${typeName(value)} for the column ${name}, which ${error}. Nothing was stored.`,
      );
    });
    return Object.fromEntries(checked);
  }
}

/** Returns a function that says why a column cannot have a value. */
function columnCheck(
  { model, isSettable }: TableColumnInfo,
  dialect: TableAccess['table']['dialect'],
  validators: Validators,
): Column['check'] {
  // Its value is that of the database.
  if (!isSettable) return () => undefined;
  const { values: _, constraints: __, maxLength: ___, ...typed } = model;
  const validator = lazily((): Validator => validators.asIs(columnSchema(typed, {}, dialect)));
  return (value) => {
    // Whether a column has a value is a rule of the database, which may have one for null.
    if (value === undefined || value === null) return undefined;
    const result = validator()(model.isArray === true ? value : comparable(value, model.type));
    if ('value' in result) return undefined;
    const [error] = result.errors;
    return error?.message ?? 'has another type';
  };
}

/** A value as its column reads it, where that is stored: digits as a number, for example. */
function comparable(value: unknown, type: ColumnType): unknown {
  const isNumber = typeof value === 'number' || typeof value === 'bigint';
  switch (type) {
    case 'bigint':
    case 'decimal':
      return isNumber ? String(value) : value;
    case 'integer':
    case 'number':
      if (typeof value === 'bigint') return Number(value);
      return typeof value === 'string' && String(Number(value)) === value ? Number(value) : value;
    case 'boolean':
      return value === 0 || value === 1 ? value === 1 : value;
    default:
      return value;
  }
}

/** An instant, or its day in UTC, in the notation of bodies; an invalid date stays, which no column can have. */
function dateText(value: Date, type: ColumnType): unknown {
  if (Number.isNaN(value.getTime())) return value;
  const text = value.toISOString();
  return type === 'date' ? text.slice(0, text.indexOf('T')) : text;
}

function typeName(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (value instanceof Date) return 'a Date';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
