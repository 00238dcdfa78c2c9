import { ConfigurationError } from '../../../../framework';
import type { Dialect } from '../../adapters/database-adapter';
import { quotedName, quotedTable } from '../../adapters/postgres/qualified-name';
import type { TableModel } from '../../introspection/table-model';
import type { TableSearch } from '../../table/table';
import type { TableServiceDefinition } from './table-definition';

/**
 * Resolves the full-text index of a service.
 * @param where service name, for messages
 * @returns undefined if clients cannot search
 * @throws ConfigurationError for a table without an index, and for a filter of the name of the parameter
 */
export function searchOf(
  { search = false, sql_filters: filters = {} }: TableServiceDefinition,
  { name, fullText, columns }: TableModel,
  dialect: Dialect,
  where: string,
): TableSearch | undefined {
  if (!search) return undefined;
  if (fullText === undefined) {
    const text = Object.keys(columns).find((column) => columns[column]?.type === 'text') ?? 'name';
    throw new ConfigurationError(
      `${where}: search is true, and ${name} has no full-text index. Create one in a migration: ${example[dialect](name, text)}`,
    );
  }
  if (filters.q !== undefined && filters.q !== null) {
    throw new ConfigurationError(
      `${where}: sql_filters has "q", which is the parameter of search. Rename the filter.`,
    );
  }
  if (dialect === 'sqlite') return { ...fullText, kind: 'fts5' };
  return { ...fullText, kind: fullText.isExpression === true ? 'expression' : 'column' };
}

const example: Readonly<Record<Dialect, (table: string, column: string) => string>> = {
  sqlite: (table, column) =>
    `CREATE VIRTUAL TABLE ${quotedName(`${table}_search`)} USING fts5(${quotedName(column)}, content='${table.replaceAll("'", "''")}'), with triggers that keep it up to date.`,
  postgres: (table, column) =>
    `CREATE INDEX ON ${quotedTable(table, 'postgres')} USING gin (to_tsvector('english', ${quotedName(column)})).`,
};
