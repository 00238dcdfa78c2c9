import type { Application } from '../../../framework';
import type { UserTable, UserTables, UserTableSettings } from '../../mvc-auth';
import { Databases } from '../adapters/databases';
import { readSnapshot } from '../introspection/snapshot';
import { DatabaseUserTable } from './database-user-table';
import { hasUniqueNames, userColumns } from './user-columns';
import { UnreadUserTable } from './unread-user-table';

/** Tables of users in the configured databases. */
export class DatabaseUsers implements UserTables {
  readonly #application: Application;

  constructor(application: Application) {
    this.#application = application;
  }

  async open(settings: UserTableSettings): Promise<UserTable> {
    const { db, table, name } = settings;
    const databases = await Databases.of(this.#application);
    const adapter = await databases.adapter(db, 'users.db');
    const known = await databases.model(db, 'users.db');
    const title = `the table "${table}" of the database "${db}"`;
    // The application is built again when the database can be reached.
    if (known === undefined) return new UnreadUserTable(title);
    const hasSnapshot = (await readSnapshot(this.#application.configuration.root, db)) !== undefined;
    const columns = userColumns(settings, known.model, hasSnapshot);
    const warnings = hasUniqueNames(settings, known.model)
      ? []
      : [
          `the column "${name}" of ${title} is not unique: users who share a name cannot sign in; add a unique constraint`,
        ];
    return new DatabaseUserTable({ adapter, title, table, columns, warnings });
  }
}
