import { ConfigurationError } from '../../../../framework';
import { identifierMembers, routeIdentifiers } from '../../../hosting';
import type { Dialect } from '../../adapters/database-adapter';
import { parameterNames } from '../../inspection/table-proposal';
import type { TableModel } from '../../introspection/table-model';
import { canIdentify } from '../../schema/column-order';
import { suggestion } from './resolve-column';
import type { Table, TableColumnInfo, TableKey } from '../../table/table';
import type { TableServiceDefinition } from './table-definition';

/**
 * Resolves the columns that identify an entity: those that `entity_identifier_name` names, or the route parameters.
 * @param where service name, for messages
 * @throws ConfigurationError for columns that are missing, not unique together, or of a type that no URL has
 */
export function keysOf(
  declared: TableServiceDefinition,
  columns: readonly TableColumnInfo[],
  { kind, name: table, primaryKey, unique }: TableModel,
  { dialect, where }: { readonly dialect: Dialect; readonly where: string },
): readonly TableKey[] {
  const parameters = routeIdentifiers(declared);
  const names = identifierMembers(declared);
  if (names.length !== parameters.length) {
    throw new ConfigurationError(
      `${where}: entity_identifier_name has ${names.length} columns, and route_identifier_name has ${parameters.length} parameters. Name one column per parameter, in the same order.`,
    );
  }
  const keys = names.map((name, at) => {
    const column = columns.find((one) => one.name === name);
    if (column !== undefined) {
      assertIdentifies(column, where);
      return { column, parameter: parameters[at] ?? name };
    }
    throw new ConfigurationError(
      `${where}: "${name}" identifies an entity, and is not among its columns: ${columns.map((one) => one.name).join(', ')}.${suggestion(name, columns)} Add the column, or name another one in entity_identifier_name.`,
    );
  });
  const isUnique = [primaryKey, ...unique].some(
    (columnsOf) => columnsOf.length === names.length && columnsOf.every((one) => names.includes(one)),
  );
  if (isUnique || kind === 'view') return keys;
  const identifies =
    names.length === 1
      ? `"${names.join('')}" identifies an entity, and is`
      : `"${names.join('" and "')}" identify an entity together, and are`;
  throw new ConfigurationError(
    `${where}: ${identifies} not unique in ${table}.${advice(primaryKey, dialect)}`,
  );
}

/** @throws ConfigurationError for a column whose values no URL has */
function assertIdentifies({ name, model }: TableColumnInfo, where: string): void {
  if (canIdentify(model)) return;
  throw new ConfigurationError(
    `${where}: "${name}" identifies an entity, and is of the type ${model.declared || 'unknown'}, whose values cannot be part of a URL. Name another column that is unique, or add one.`,
  );
}

/**
 * Returns a warning about an identifier that may be null: pages continue after its values, and null has no position.
 * @param where service name, for messages
 */
export function nullableKeyWarnings({ name: table, keys, rows }: Table, where: string): readonly string[] {
  return keys.flatMap(({ column }) => {
    const { name, model, isSettable } = column;
    // Views do not tell, and a value that `rows` sets is never null.
    if (!model.isNullable || !isSettable || rows.some((row) => row.column === column)) return [];
    return [
      `${where}: "${name}" identifies an entity, and may be null in ${table}: rows without it have no URL, and further pages may lack some of them. Declare it as NOT NULL.`,
    ];
  });
}

function advice(primaryKey: readonly string[], dialect: Dialect): string {
  const [first] = primaryKey;
  if (first === undefined) {
    const foreign = dialect === 'sqlite' ? '' : ' Of a foreign table, which has neither, use a view.';
    return ` Add a primary key or a unique index.${foreign}`;
  }
  const parameters = parameterNames(primaryKey);
  const isNamedAlike = parameters.join() === primaryKey.join();
  const columns = isNamedAlike ? '' : `, "entity_identifier_name": ${valueOf(primaryKey)}`;
  const route =
    primaryKey.length === 1 && isNamedAlike ? '' : `, with the route parameters [/:${parameters.join('/:')}]`;
  return ` Name its primary key, "route_identifier_name": ${valueOf(parameters)}${columns}${route}, or add a unique index.`;
}

function valueOf(names: readonly string[]): string {
  return names.length === 1 ? `"${names.join()}"` : JSON.stringify(names).replaceAll(',', ', ');
}
