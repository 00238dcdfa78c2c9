import { didYouMean, ConfigurationError, listNames, ownValue } from '../../../framework';
import type { UserTableSettings } from '../../mvc-auth';
import type { ColumnModel, DatabaseModel, TableModel } from '../introspection/table-model';

/** A column of a table of users. */
export interface UserColumn {
  readonly name: string;
  readonly model: ColumnModel;
}

/** The columns of a table of users, as the database has them. */
export interface UserColumns {
  readonly name: UserColumn;
  readonly hash: UserColumn | undefined;
  /** By Digest algorithm. */
  readonly ha1: readonly (readonly [algorithm: Algorithm, column: UserColumn])[];
  readonly groups: UserColumn | undefined;
  readonly enabled: UserColumn | undefined;
}

type Algorithm = keyof NonNullable<UserTableSettings['ha1']>;
type Allowed = (model: ColumnModel) => boolean;

const isText: Allowed = ({ type, isArray }) => type === 'text' && isArray !== true;
/** Besides text, types of PostgreSQL such as `citext`. */
const isName: Allowed = ({ type, isArray }) =>
  ['text', 'uuid', 'native', 'other'].includes(type) && isArray !== true;
const isList: Allowed = ({ type, isArray }) => type === 'text' || (type === 'json' && isArray !== true);
const isFlag: Allowed = ({ type, isArray }) => ['boolean', 'integer'].includes(type) && isArray !== true;

/**
 * Finds the columns that the settings name.
 * @throws ConfigurationError for a table or column that does not exist, or has another type
 */
export function userColumns(
  settings: UserTableSettings,
  { tables }: DatabaseModel,
  hasSnapshot: boolean,
): UserColumns {
  const advice = hasSnapshot
    ? ` If the database has it, update the snapshot: npx apidesc-platform db pull --adapter ${settings.db}`
    : '';
  const table = tableOf(settings, tables, advice);
  const find = (key: string, name: string, allowed: Allowed, expected: string): UserColumn => {
    const model = ownValue(table.columns, name);
    if (model === undefined) {
      throw new ConfigurationError(
        `users.${key} names the column "${name}", which the ${table.kind} "${table.name}" of the database "${settings.db}" does not have.${available(name, Object.keys(table.columns))}${advice}`,
      );
    }
    if (!allowed(model)) {
      throw new ConfigurationError(
        `users.${key} names the column "${name}" of the ${table.kind} "${table.name}" of the database "${settings.db}", which is of the type ${model.declared || 'unknown'}. Name a column of ${expected}.`,
      );
    }
    return { name, model };
  };
  const { name, hash, ha1 = {}, groups, enabled } = settings;
  return {
    name: find('name', name, isName, 'text'),
    hash: hash === undefined ? undefined : find('hash', hash, isText, 'text'),
    ha1: Object.entries(ha1).map(([algorithm, column]) => [
      // The schema of the settings allows no other.
      algorithm as Algorithm,
      find(`ha1.${algorithm}`, column, isText, 'text'),
    ]),
    groups:
      groups === undefined
        ? undefined
        : find('groups', groups, isList, 'text, a JSON array, or an array of texts'),
    enabled: enabled === undefined ? undefined : find('enabled', enabled, isFlag, 'booleans or integers'),
  };
}

/** Whether the database ensures that a name belongs to one user. A view does not tell. */
export function hasUniqueNames({ table, name }: UserTableSettings, { tables }: DatabaseModel): boolean {
  const model = tables[table];
  if (model === undefined || model.kind === 'view') return true;
  return [model.primaryKey, ...model.unique].some((columns) => columns.length === 1 && columns[0] === name);
}

function tableOf(
  { db, table }: UserTableSettings,
  tables: DatabaseModel['tables'],
  advice: string,
): TableModel {
  const found = ownValue(tables, table);
  if (found !== undefined) return found;
  throw new ConfigurationError(
    `users.table names the table "${table}", which the database "${db}" does not have.${available(table, Object.keys(tables))}${advice}`,
  );
}

function available(name: string, names: readonly string[]): string {
  return `${didYouMean(name, names)} Available: ${listNames(names)}.`;
}
