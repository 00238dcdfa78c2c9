import { sql, type RawBuilder } from 'kysely';
import { ownMembers } from '../../../framework';
import type { HandlerContext } from '../../hosting';
import type { Dialect, Row, SqlStatement, SqlValue } from '../adapters/database-adapter';
import { StatementCache } from '../adapters/statement-cache';
import { numberParameter } from '../adapters/storable-value';
import type { ColumnModel } from '../introspection/table-model';
import { compilerOf } from '../query/compiled-query';
import { selection } from '../query/expressions';
import { columnCodec, type ColumnCodec } from '../schema/column-codec';
import { toParameter } from '../schema/parameters';
import { IDENTITY_NAME } from './named-parameters';
import type { DescribedColumn } from './statement-description';

/** A parameter of a call: of the client, or fixed. */
export interface CallParameter {
  readonly name: string;
  /** Its type, if the database knows it. */
  readonly model: ColumnModel | undefined;
  /** Whether it is numeric by its schema: those of routes are texts. */
  readonly isNumeric: boolean;
  /** Whether its schema allows numbers that are not whole. */
  readonly isReal: boolean;
  /** A constant, or `identity.name`, instead of a value of the client. */
  readonly fixed?: string | number | boolean | undefined;
  /** Whether it is left out without a value: the function has a default. */
  readonly hasDefault?: boolean;
}

interface Column {
  readonly name: string;
  readonly codec: ColumnCodec;
}

/** The statements of a procedure service, with the conversion of its parameters and rows. */
export class ProcedureCall {
  readonly #dialect: Dialect;
  readonly #kind: SqlStatement['kind'];
  readonly #parameters: readonly CallParameter[];
  readonly #own: ReturnType<typeof ownMembers>;
  readonly #columns: readonly DescribedColumn[] | undefined;
  readonly #codecs: readonly Column[];
  readonly #text: (names: readonly string[], reals: readonly string[]) => string;
  readonly #places: readonly number[] | undefined;
  readonly #statements = new StatementCache<SqlStatement>();

  /**
   * @param text the statement with these parameters, of which some are binary numbers as texts
   * @param columns of a statement that can be a subquery; undefined for any other
   * @param places which of the parameters each place in the text has; undefined if the text has their numbers
   */
  constructor(
    dialect: Dialect,
    kind: SqlStatement['kind'],
    parameters: readonly CallParameter[],
    columns: readonly DescribedColumn[] | undefined,
    text: (names: readonly string[], reals: readonly string[]) => string,
    places?: readonly number[],
  ) {
    this.#dialect = dialect;
    this.#kind = kind;
    this.#parameters = parameters;
    this.#own = ownMembers(parameters.map(({ name }) => name));
    this.#columns = columns;
    this.#text = text;
    this.#places = places;
    // Of columns with one name, a row has the last.
    this.#codecs = [...new Map(columns?.map(({ name, model }) => [name, model]))].flatMap(([name, model]) =>
      model === undefined ? [] : [{ name, codec: columnCodec(name, model, dialect) }],
    );
  }

  /** The statement of a request with its parameters. @throws DatabaseError for a value that cannot be stored */
  of(
    given: Readonly<Record<string, unknown>>,
    { identity }: Pick<HandlerContext, 'identity'>,
  ): { readonly statement: SqlStatement; readonly values: readonly SqlValue[] } {
    const own = this.#own(given);
    const used = this.#parameters.filter(
      ({ name, hasDefault, fixed }) => hasDefault !== true || fixed !== undefined || own[name] !== undefined,
    );
    const names = used.map(({ name }) => name);
    const values = used.map((parameter) =>
      parameter.fixed === undefined
        ? this.#valueOf(parameter, own[parameter.name])
        : parameter.fixed === IDENTITY_NAME
          ? identity.name
          : this.#valueOf(parameter, parameter.fixed),
    );
    const reals = names.filter(
      (_, at) => this.#dialect === 'sqlite' && (isCast(used[at], values[at]) || isTiny(used[at], values[at])),
    );
    const shape = `${names.join('\0')}\0\0${reals.join('\0')}`;
    const statement = this.#statements.get(shape) ?? this.#addStatement(shape, names, reals);
    const converted =
      reals.length === 0
        ? values
        : values.map((value, at) => (isTiny(used[at], value) ? numberParameter(Number(value)) : value));
    return { statement, values: this.#places?.map((at) => converted[at] ?? null) ?? converted };
  }

  /** Converts a row to JSON. */
  entity(row: Row): Readonly<Record<string, unknown>> {
    const entity: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(row)) entity[name] = jsonValue(value);
    for (const { name, codec } of this.#codecs)
      if (codec.fromRow !== undefined) entity[name] = codec.fromRow(row[name]);
    return entity;
  }

  #valueOf({ model, isNumeric, isReal }: CallParameter, value: unknown): SqlValue {
    const number = isNumeric && typeof value === 'string' ? Number(value) : value;
    return model === undefined
      ? toParameter(number, this.#dialect, isReal)
      : columnCodec('', model, this.#dialect).toParameter(number);
  }

  #addStatement(shape: string, names: readonly string[], reals: readonly string[]): SqlStatement {
    const statement = this.#statementOf(names, reals);
    return this.#statements.add(shape, statement, statement.text.length);
  }

  /** Columns are selected in the form that their codecs read. */
  #statementOf(names: readonly string[], reals: readonly string[]): SqlStatement {
    const text = this.#text(names, reals);
    const dialect = this.#dialect;
    const isConverted =
      dialect === 'postgres' ||
      this.#columns?.some(({ model }) => model !== undefined && CONVERTED.includes(model.type));
    if (this.#columns === undefined || this.#columns.length === 0 || isConverted !== true)
      return { text, kind: this.#kind };
    // In SQLite, the names of results may repeat, and differ from those of a subquery ("rowid" is the key).
    const isNumbered = dialect === 'sqlite';
    const inner = this.#columns.map(({ name }, at) => (isNumbered ? String(at) : name));
    const list = this.#columns.map(({ name, model }, at) => {
      const own = inner[at] ?? name;
      const value = model === undefined ? sql.id(own) : selection({ name: own, model }, { dialect });
      return sql`${value} as ${sql.id(name)}`;
    });
    const compiled = (part: RawBuilder<unknown>): string => part.compile(compilerOf(dialect)).sql;
    const selected = compiled(sql`select ${sql.join(list)} from`);
    return {
      text: isNumbered
        ? `${compiled(sql`with "$result" (${sql.join(inner.map((name) => sql.id(name)))}) as`)} (${text}\n) ${selected} "$result"`
        : `${selected} (${text}\n) as "$result"`,
      kind: this.#kind,
    };
  }
}

/** Types that SQLite selects in another form: the driver would round numbers, and JSON may be binary. */
const CONVERTED: readonly ColumnModel['type'][] = ['bigint', 'decimal', 'json'];

/** Whether a driver of SQLite may take a whole number for an integer although the parameter is a binary number. */
function isCast(parameter: CallParameter | undefined, value: SqlValue | undefined): boolean {
  return parameter?.model === undefined && parameter?.isReal === true && Number.isInteger(value);
}

/** Whether a driver of SQLite would take a number for 0. A column would convert its text; a statement needs a cast. */
function isTiny(parameter: CallParameter | undefined, value: SqlValue | undefined): boolean {
  return parameter?.model === undefined && typeof value === 'number' && numberParameter(value) !== value;
}

/** Values of unknown types: JSON has no bytes, and no large integers. */
function jsonValue(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  return typeof value === 'bigint' ? String(value) : value;
}
