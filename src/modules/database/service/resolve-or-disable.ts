import { ConfigurationError } from '../../../framework';
import type { ServiceKindContext } from '../../hosting';
import type { Databases, KnownModel } from '../adapters/databases';
import type { Dialect } from '../adapters/database-adapter';
import type { Drift } from '../introspection/drift';
import { formerModel } from '../introspection/former-tables';
import type { DatabaseModel } from '../introspection/table-model';
import { resolveTable } from './declaration/resolve-table';
import type { TableServiceDefinition } from './declaration/table-definition';
import { usedColumns } from './declaration/used-columns';
import { LastResolved } from './last-resolved';
import type { Table } from '../table/table';

/** The table of a service. */
interface ResolvedService {
  readonly table: Table;
  /** Whether the database has it: otherwise, the service responds with 503. */
  readonly isCurrent: boolean;
}

/**
 * Resolves a declaration against the model of its database. If that has changed since the service was built, or since an
 * earlier snapshot, the table is that of before, and a warning gives the reason: a change of one table prevents neither a
 * reload nor a start.
 * @throws ConfigurationError for a declaration that does not fit, and has not fitted before
 */
export async function resolveOrDisable(
  definition: TableServiceDefinition,
  { model, drift, actual }: KnownModel,
  dialect: Dialect,
  { application, reference, where }: ServiceKindContext,
  databases: Databases,
): Promise<ResolvedService> {
  const last = application.sharedState.getOrCreate(LastResolved, () => new LastResolved()).models;
  const key = databases.serviceKey(definition.adapter_name, reference);
  const resolve = (tables: DatabaseModel): Table => resolveTable(definition, tables, dialect, where);
  try {
    const table = resolve(model);
    last.set(key, model);
    return { table, isCurrent: !drift.some((one) => affects(one, table)) };
  } catch (error) {
    const before = last.get(key) ?? formerModel(model);
    const table = before === undefined ? undefined : attempt(() => resolve(before));
    if (!(error instanceof ConfigurationError)) throw error;
    if (table === undefined) {
      if (actual !== undefined && attempt(() => resolve(actual)) !== undefined)
        throw outdatedSnapshot(error, definition.adapter_name);
      throw await withPendingMigrations(error, databases, definition.adapter_name, where);
    }
    application.warnings.push(disabledWarning(error, definition.adapter_name));
    return { table, isCurrent: false };
  }
}

/** The warning about a service that the database no longer fits. */
export function disabledWarning({ message }: ConfigurationError, adapter: string): string {
  return `${message} The database "${adapter}" has changed since the service was built: it responds with 503. Adapt the service, or the database, and reload.`;
}

/** The error of a service that fits the tables of the database, but not those of its snapshot. */
function outdatedSnapshot(cause: ConfigurationError, adapter: string): ConfigurationError {
  return new ConfigurationError(
    `${cause.message} This is what config/db/${adapter}.json says; the database itself matches the service. Write the snapshot again: apidesc-platform db pull --adapter ${adapter}`,
    { cause },
  );
}

/** Returns the error of a service, which names pending migrations if there are any. Another mistake has the same type. */
export async function withPendingMigrations(
  cause: ConfigurationError,
  databases: Databases,
  adapter: string,
  where: string,
): Promise<ConfigurationError> {
  if (!(await databases.hasPendingMigrations(adapter, where))) return cause;
  return new ConfigurationError(
    `${cause.message} Migrations are pending. If one adds what is missing, apply them: apidesc-platform db migrate --adapter ${adapter}`,
    { cause },
  );
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof ConfigurationError) return undefined;
    throw error;
  }
}

/** Whether a table cannot be used as the snapshot describes it. */
function affects({ severity, table: name, column, part }: Drift, table: Table): boolean {
  if (severity !== 'breaking') return false;
  if (part === 'search') return table.name === name && table.search !== undefined;
  if (part === 'key') return table.name === name;
  return usedColumns(table).some(
    (used) => used.table === name && (column === undefined || used.column === column),
  );
}
