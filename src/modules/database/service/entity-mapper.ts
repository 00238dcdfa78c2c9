import { hash } from 'node:crypto';
import { listItems, problem, type Problem } from '../../../framework';
import type { Revision } from '../../hosting';
import type { Dialect, Row } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import { fittingRows, MAX_PAGE } from '../adapters/row-length';
import type { ColumnModel } from '../introspection/table-model';
import { ExactNumber, parseExactJson } from '../schema/exact-json';
import { jsonValue } from '../schema/readable-values';
import { REVISION } from '../query/expressions';
import { TOO_LONG } from '../query/embeds';
import type { Entity } from '../table/entity';
import type { Table, TableColumnInfo, TableEmbed } from '../table/table';

/** The member of an entity with the state of its row. Spreads copy it; JSON and `for` do not have it. */
const stateKey = Symbol('state');

/** The state of the row of an entity. */
class RowState {
  /** Undefined for an entity without an entity tag. */
  readonly revision: string | undefined;
  readonly #entity: Entity;

  constructor(revision: string | undefined, entity: Entity) {
    this.revision = revision;
    this.#entity = entity;
  }

  /** Whether an entity is that of the row, and not a copy. */
  isOf(entity: unknown): boolean {
    return this.#entity === entity;
  }
}

/** Converts rows to entities. */
export class EntityMapper {
  readonly #table: Table;

  constructor(table: Table) {
    this.#table = table;
  }

  /**
   * Converts the first rows of a page, whose values have at most 4 MiB; at least one row. All values that were selected
   * count, as they do where rows are read: those that are not among the members of the entity, such as sort keys, as well.
   */
  page(
    rows: readonly Row[],
    columns: readonly TableColumnInfo[],
    embeds: readonly TableEmbed[],
  ): readonly Entity[] {
    return fittingRows(rows, MAX_PAGE).map((row) => this.entity(row, columns, embeds));
  }

  /**
   * @param columns the selected columns that the client sees
   * @param embeds the embedded rows
   */
  entity(
    row: Row,
    columns: readonly TableColumnInfo[] = this.#table.columns,
    embeds: readonly TableEmbed[] = [],
  ): Entity {
    const entity: Entity = {};
    for (const column of columns) entity[column.name] = jsonValue(row[column.name], column);
    for (const embed of embeds) entity[embed.name] = embedded(row[embed.alias], embed, this.#table.dialect);
    // A hash takes longer than the entities of a page should.
    return this.#table.revision.kind === 'hash' ? entity : withState(entity, this.stateOf(row, entity));
  }

  /** Converts a row to an entity whose copies have its state as well. */
  tracedEntity(row: Row): Entity {
    const entity = this.entity(row);
    return this.#table.revision.kind === 'hash' ? withState(entity, hashOf(entity)) : entity;
  }

  /**
   * Converts a row to an entity with some columns and embedded rows. It has the revision of all columns; with embedded rows it
   * has none: they change independently.
   */
  partialEntity(
    row: Row,
    columns: readonly TableColumnInfo[] | undefined,
    embeds: readonly TableEmbed[],
  ): Entity {
    const entity = this.entity(row, columns, embeds);
    return withState(entity, embeds.length > 0 ? undefined : this.stateOf(row));
  }

  /** The state of a row: the revision column, or a hash of all members. @param entity of the row */
  stateOf(row: Row, entity = this.entity(row)): string {
    const { revision } = this.#table;
    if (revision.kind === 'hash') return hashOf(entity);
    return String(revision.kind === 'xmin' || REVISION in row ? row[REVISION] : row[revision.column.name]);
  }

  /**
   * The state of the row of an entity, or of a copy of an entity, which is another representation of that state; else a hash
   * of the members. Undefined for an entity without an entity tag.
   */
  revision(entity: unknown): Revision {
    const state: unknown = Reflect.get(entity as object, stateKey);
    if (!(state instanceof RowState)) return hashOf(entity);
    const { revision } = state;
    if (revision === undefined || state.isOf(entity)) return revision;
    const variant = hashOf(entity);
    return variant === revision ? revision : { tag: revision, weak: false, variant };
  }

  /** The columns that the parameter `fields` names, or the list of a body; all without it. @throws Problem 400 */
  requestedColumns(fields: unknown): readonly TableColumnInfo[] {
    const { columns } = this.#table;
    return fields === undefined ? columns : named(columns, fields, 'fields');
  }

  /** The rows that the parameter `embed` names, or the list of a body. @throws Problem 400 */
  requestedEmbeds(embed: unknown): readonly TableEmbed[] {
    return embed === undefined ? NO_EMBEDS : named(this.#table.embeds, embed, 'embed');
  }
}

const NO_EMBEDS: readonly TableEmbed[] = [];

/** @param revision undefined for an entity without an entity tag */
function withState(entity: Entity & { [stateKey]?: RowState }, revision: string | undefined): Entity {
  entity[stateKey] = new RowState(revision, entity);
  return entity;
}

/**
 * @param list names, with commas between them in a parameter
 * @throws Problem 400 for a name that does not exist
 */
function named<Item extends { readonly name: string }>(
  items: readonly Item[],
  list: unknown,
  parameter: string,
): readonly Item[] {
  const choices = items.map(({ name }) => name);
  const names = new Set<unknown>(Array.isArray(list) ? list : listItems(String(list), choices));
  const found = items.filter(({ name }) => names.has(name));
  if (found.length === names.size) return found;
  const message = `must be a list of: ${choices.join(', ')}`;
  throw problem('bad_query', { names: [parameter] }, { extensions: { errors: [{ parameter, message }] } });
}

/** Converts embedded rows from their JSON text. @throws Problem 400 for too long a text */
function embedded(text: unknown, embed: TableEmbed, dialect: Dialect): Entity | readonly Entity[] | null {
  if (typeof text !== 'string') return null;
  if (text === TOO_LONG) throw tooLong(embed);
  const value = parseExactJson(text) as Row | readonly Row[];
  return Array.isArray(value)
    ? (value as readonly Row[]).map((row) => embeddedEntity(row, embed, dialect))
    : embeddedEntity(value as Row, embed, dialect);
}

function tooLong({ name }: TableEmbed): Problem {
  const message = `cannot include ${name} here, which has more than 2 MiB for one of the entities: request it separately`;
  return problem(
    'bad_query',
    { names: ['embed'] },
    { extensions: { errors: [{ parameter: 'embed', message }] } },
  );
}

function embeddedEntity(row: Row, { columns }: TableEmbed, dialect: Dialect): Entity {
  const entity: Entity = {};
  for (const { name, codec, model } of columns) {
    // PostgreSQL: a JSON value is a part of the text, not a text in it.
    const isJson = dialect === 'postgres' && model.type === 'json' && model.isArray !== true;
    const value = isJson ? row[name] : selectedValue(row[name], name, model, dialect);
    entity[name] = isJson || codec.fromRow === undefined ? value : codec.fromRow(value);
  }
  return entity;
}

const INTEGER = /^-?\d+$/;

/** A value of a column as the driver returns it outside of JSON. */
function selectedValue(value: unknown, name: string, { type }: ColumnModel, dialect: Dialect): unknown {
  if (value instanceof ExactNumber) {
    // As the driver refuses such an integer.
    if (INTEGER.test(value.text) && type !== 'number')
      throw new DatabaseError(
        'unreadable',
        `An integer of the column ${name} is beyond 2^53: declare it as BIGINT.`,
      );
    return Number(value.text);
  }
  // JSON of PostgreSQL has texts for NaN and infinity; in SQLite, such a text was stored as one.
  return type === 'number' && dialect === 'postgres' && isNotFinite(value) ? Number(value) : value;
}

function isNotFinite(value: unknown): boolean {
  return value === 'NaN' || value === 'Infinity' || value === '-Infinity';
}

/** Members keep the order of the declaration, so that equal rows have equal hashes. */
function hashOf(entity: unknown): string {
  return hash('sha1', JSON.stringify(entity), 'base64url');
}
