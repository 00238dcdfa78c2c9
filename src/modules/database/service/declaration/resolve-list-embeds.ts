import { didYouMean, ConfigurationError, listNames, ownValue } from '../../../../framework';
import type { ForeignKeyModel, TableModel } from '../../introspection/table-model';
import { hasNoOrder } from '../../schema/column-order';
import { assertOrdered, resolveColumn } from './resolve-column';
import { rowValue } from './row-value';
import { embeddedColumns, type EmbedContext } from './resolve-embeds';
import type { OrderKey } from '../../query/position';
import type { JoinTable, ListEmbed, RowRestriction, TableColumnInfo } from '../../table/table';
import type { ListEmbedDefinition, TableServiceDefinition } from './table-definition';

const DEFAULT_LIMIT = 100;

/**
 * Resolves the lists of rows that clients can embed.
 * @throws ConfigurationError for unknown tables and columns, a relation that is missing or ambiguous, and a name that
 *   is taken
 */
export function listEmbedsOf(
  { embeds = {} }: TableServiceDefinition,
  taken: readonly string[],
  model: TableModel,
  context: EmbedContext,
): readonly ListEmbed[] {
  return Object.entries(embeds).flatMap(([name, embed], position) => {
    if (embed === null) return [];
    const at = `${context.where}: embeds.${name}`;
    if (taken.includes(name)) throw new ConfigurationError(`${at}: the member "${name}" exists already.`);
    const alias = `$list.${position}`;
    return [{ name, alias, ...listEmbed(embed, model, { ...context, where: at }) }];
  });
}

function listEmbed(
  declared: ListEmbedDefinition,
  model: TableModel,
  context: EmbedContext,
): Omit<ListEmbed, 'name' | 'alias'> {
  const { where, dialect } = context;
  const target = tableNamed(declared.table_name, context);
  const relating = declared.through === undefined ? target : tableNamed(declared.through, context);
  const key = keyTo(model, relating, declared.foreign_key, where);
  const find = (column: string): TableColumnInfo => resolveColumn(target, column, {}, dialect, where);
  const sortKey = (one: string): OrderKey => {
    // The name of a column may begin with the prefix.
    const isDescending = one.startsWith('-') && !Object.hasOwn(target.columns, one);
    const column = find(isDescending ? one.slice(1) : one);
    assertOrdered(column, `${where}.sort`);
    return { column, isDescending };
  };
  return {
    kind: 'list',
    target: target.name,
    columns: embeddedColumns(target, declared.columns, context),
    ...key,
    through: declared.through === undefined ? undefined : joinTable(relating, target, key.foreignKey, where),
    sort:
      declared.sort?.map(sortKey) ??
      defaultOrder(target, declared).map((name) => ({ column: find(name), isDescending: false })),
    limit: declared.limit ?? DEFAULT_LIMIT,
    rows: Object.entries(declared.rows ?? {}).map(([column, value]): RowRestriction => ({
      column: find(column),
      constant: rowValue(value, `${where}.rows.${column}`),
    })),
    isIndexed: relating.indexes.some(([first]) => first === key.foreignKey),
  };
}

/** A list without an order would change between requests. */
function defaultOrder(
  { primaryKey, columns: models }: TableModel,
  { columns }: ListEmbedDefinition,
): readonly string[] {
  if (primaryKey.length > 0) return primaryKey;
  return columns.filter((name) => models[name] !== undefined && !hasNoOrder(models[name]));
}

function tableNamed(name: string, { tables, where }: EmbedContext): TableModel {
  const table = ownValue(tables, name);
  if (table !== undefined) return table;
  const names = Object.keys(tables);
  throw new ConfigurationError(
    `${where}: the database has no table "${name}".${didYouMean(name, names)} Available: ${listNames(names)}.`,
  );
}

/** Foreign keys of one column that refer to a table. */
function simpleKeys({ foreignKeys }: TableModel, { name }: TableModel): readonly ForeignKeyModel[] {
  return foreignKeys.filter(({ columns, table }) => columns.length === 1 && table === name);
}

/** Whether the only foreign keys to a table have several columns. */
function hasOnlyCompositeKeys({ foreignKeys }: TableModel, { name }: TableModel): boolean {
  const keys = foreignKeys.filter(({ table }) => table === name);
  return keys.length > 0 && keys.every(({ columns }) => columns.length > 1);
}

function compositeOnly(table: TableModel, target: TableModel, where: string): ConfigurationError {
  return new ConfigurationError(
    `${where}: ${table.name} has only a foreign key of several columns to ${target.name}, which embeds do not support.`,
  );
}

/** The foreign key by which rows relate to the table of the service. */
function keyTo(
  model: TableModel,
  relating: TableModel,
  requested: string | undefined,
  where: string,
): Pick<ListEmbed, 'foreignKey' | 'reference'> {
  const keys = simpleKeys(relating, model);
  const matching = requested === undefined ? keys : keys.filter(({ columns }) => columns[0] === requested);
  const [only, ...others] = matching;
  const names = keys.map(({ columns }) => columns.join());
  if (only === undefined) {
    if (hasOnlyCompositeKeys(relating, model)) throw compositeOnly(relating, model, where);
    throw new ConfigurationError(
      `${where}: ${relating.name} has no foreign key ${requested === undefined ? '' : `"${requested}" `}to ${model.name}.${names.length === 0 ? ' Name the table that joins both in "through".' : ` Available: ${names.join(', ')}.`}`,
    );
  }
  if (others.length > 0) {
    throw new ConfigurationError(
      `${where}: several columns of ${relating.name} refer to ${model.name}: ${names.join(', ')}. Name one in "foreign_key".`,
    );
  }
  return { foreignKey: only.columns.join(), reference: only.references.join() };
}

/** The foreign key of the join table to the embedded rows: the only other one. */
function joinTable(join: TableModel, target: TableModel, foreignKey: string, where: string): JoinTable {
  const keys = simpleKeys(join, target).filter(({ columns }) => columns[0] !== foreignKey);
  const [only, ...others] = keys;
  if (only !== undefined && others.length === 0)
    return { name: join.name, foreignKey: only.columns.join(), reference: only.references.join() };
  if (hasOnlyCompositeKeys(join, target)) throw compositeOnly(join, target, where);
  throw new ConfigurationError(
    only === undefined
      ? `${where}: ${join.name} has no further foreign key to ${target.name}.`
      : `${where}: several columns of ${join.name} refer to ${target.name}: ${keys.map(({ columns }) => columns.join()).join(', ')}. A join table has one.`,
  );
}
