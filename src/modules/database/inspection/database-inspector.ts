import { createHash } from 'node:crypto';
import { ConfigurationError, objectOf, type Application, type ConfigObject } from '../../../framework';
import type { DatabaseAdapter, Dialect, SqlStatement } from '../adapters/database-adapter';
import { DatabaseError } from '../adapters/database-error';
import type { Databases } from '../adapters/databases';
import { driftOf, type Drift } from '../introspection/drift';
import { formerTablesOf } from '../introspection/former-tables';
import { isSnapshotOf, readSnapshot, snapshotText, writeSnapshot } from '../introspection/snapshot';
import type { DatabaseModel, TableModel } from '../introspection/table-model';
import { MIGRATIONS_TABLE } from '../migrations/migrations-table';
import { DATABASE_KEY, databaseSettings } from '../settings';
import { proposeService, type TableProposal } from './table-proposal';
import { withTimeLimit } from './with-time-limit';

/** The container name of the {@link DatabaseInspector}. */
export const DATABASE_INSPECTOR = 'DatabaseInspector';

/** A configured database. */
export interface DatabaseSummary {
  readonly name: string;
  /** The kind of its adapter. */
  readonly adapter: string;
  /** May contain secrets. */
  readonly options: ConfigObject;
  /** Where it connects to, without credentials; undefined if it cannot be opened. */
  readonly target: string | undefined;
  readonly dialect: Dialect | undefined;
  /** Whether the last use succeeded; undefined before the first. */
  readonly isAvailable: boolean | undefined;
  /** Why it cannot be opened, such as a missing driver. */
  readonly problem: string | undefined;
}

/** The tables of a database as services are built from them, and how they differ from the database. */
export interface InspectedDatabase {
  readonly hasSnapshot: boolean;
  /** From the snapshot if there is one; empty if there is none and the database cannot be reached. */
  readonly tables: Readonly<Record<string, TableModel>>;
  readonly drift: readonly Drift[];
  /** Tables that the snapshot does not contain, by name. */
  readonly newTables: Readonly<Record<string, TableModel>>;
  /** Why the database could not be read. */
  readonly problem: string | undefined;
}

/** What updating a snapshot would change. */
export interface SnapshotReview {
  readonly model: DatabaseModel;
  /** The file, relative to the project root. */
  readonly file: string;
  readonly hasSnapshot: boolean;
  readonly isSame: boolean;
  /** Identifies the tables that were read. */
  readonly tag: string;
  /** How the database differs from the snapshot. */
  readonly drift: readonly Drift[];
  /** The tables that the snapshot does not contain. */
  readonly newTables: readonly string[];
}

/** The result of a connection test. */
export interface ConnectionTest {
  readonly isConnected: boolean;
  readonly milliseconds: number;
  /** Why it is not connected. */
  readonly problem: string | undefined;
}

const PROBE: SqlStatement = { text: 'select 1', kind: 'read', single: true };

/** Milliseconds that a connection test, or reading the tables, may take. */
const TIME_LIMIT_MS = 5000;

/** Shows the configured databases of an application to operators. */
export class DatabaseInspector {
  readonly #application: Application;
  readonly #databases: Databases;
  readonly #timeLimit: number;
  /** Tables that are being read: a database that does not respond is asked once. */
  readonly #pending = new WeakMap<DatabaseAdapter, Promise<DatabaseModel>>();

  /** @param timeLimit in milliseconds */
  constructor(application: Application, databases: Databases, timeLimit = TIME_LIMIT_MS) {
    this.#application = application;
    this.#databases = databases;
    this.#timeLimit = timeLimit;
  }

  /** The configured names. */
  get names(): readonly string[] {
    return this.#databases.names;
  }

  /** Describes a configured database without using it. */
  async describe(name: string): Promise<DatabaseSummary> {
    const { adapters } = this.#application.configuration.section(DATABASE_KEY, databaseSettings);
    const settings = adapters[name];
    const options = objectOf(settings?.options as ConfigObject | undefined);
    const common = { name, adapter: settings?.adapter ?? '', options };
    try {
      const { target, dialect, isAvailable } = await this.#open(name);
      return { ...common, target, dialect, isAvailable, problem: undefined };
    } catch (error) {
      if (!(error instanceof ConfigurationError)) throw error;
      const problem = error.message;
      return { ...common, target: undefined, dialect: undefined, isAvailable: false, problem };
    }
  }

  /** Uses a connection of a database, within the time limit. */
  async test(name: string): Promise<ConnectionTest> {
    const start = performance.now();
    const problem = await this.#failureOf(async () => {
      const adapter = await this.#open(name);
      const limits = { signal: AbortSignal.timeout(this.#timeLimit) };
      await withTimeLimit(Promise.resolve(adapter.execute(PROBE, [], limits)), this.#timeLimit);
    });
    const milliseconds = Math.round(performance.now() - start);
    return { isConnected: problem === undefined, milliseconds, problem };
  }

  /** Reads the snapshot and the tables of a database, within the time limit. */
  async inspect(name: string): Promise<InspectedDatabase> {
    const snapshot = await readSnapshot(this.#application.configuration.root, name);
    let actual: DatabaseModel | undefined;
    const problem = await this.#failureOf(async () => {
      actual = await withTimeLimit(this.#introspect(await this.#open(name)), this.#timeLimit);
    });
    const tables = snapshot?.tables ?? actual?.tables ?? {};
    const others = Object.entries(actual?.tables ?? {}).filter(([table]) => !Object.hasOwn(tables, table));
    return {
      hasSnapshot: snapshot !== undefined,
      tables: withoutMigrations(tables),
      drift: snapshot === undefined || actual === undefined ? [] : driftOf(snapshot, actual),
      newTables: withoutMigrations(Object.fromEntries(others)),
      problem,
    };
  }

  /**
   * Compares the snapshot of a database with what it would be now, without writing it.
   * @throws DatabaseError if the database cannot be read
   */
  async reviewSnapshot(name: string): Promise<SnapshotReview> {
    const before = await readSnapshot(this.#application.configuration.root, name).catch((error: unknown) => {
      // A file that is not a snapshot is replaced.
      if (error instanceof ConfigurationError) return undefined;
      throw error;
    });
    const read = await withTimeLimit(this.#introspect(await this.#open(name)), this.#timeLimit);
    const model: DatabaseModel = { tables: withoutMigrations(read.tables) };
    const formerTables = before === undefined ? {} : formerTablesOf(before, model);
    return {
      model: { ...model, formerTables },
      file: `config/db/${name}.json`,
      hasSnapshot: before !== undefined,
      isSame: before !== undefined && isSnapshotOf(before, model),
      tag: createHash('sha256').update(snapshotText(model)).digest('hex'),
      drift: before === undefined ? [] : driftOf(before, model),
      newTables: Object.keys(model.tables).filter((table) => before?.tables[table] === undefined),
    };
  }

  /** Writes the snapshot of a database, with what services need that it disables: the next start succeeds. */
  async writeSnapshot(name: string, { model }: SnapshotReview): Promise<void> {
    await writeSnapshot(this.#application.configuration.root, name, model);
  }

  /** Proposes a service over a table of a database. */
  async propose(name: string, table: TableModel): Promise<TableProposal> {
    return proposeService(table, (await this.describe(name)).dialect);
  }

  #open(name: string): Promise<DatabaseAdapter> {
    return this.#databases.adapter(name, 'The admin');
  }

  #introspect(adapter: DatabaseAdapter): Promise<DatabaseModel> {
    const running = this.#pending.get(adapter);
    if (running !== undefined) return running;
    const reading = adapter.introspect().finally(() => this.#pending.delete(adapter));
    // Its failure may come after the time limit.
    reading.catch(() => undefined);
    this.#pending.set(adapter, reading);
    return reading;
  }

  /** Returns why an action failed; undefined if it succeeded. */
  async #failureOf(action: () => Promise<void>): Promise<string | undefined> {
    try {
      await action();
      return undefined;
    } catch (error) {
      if (error instanceof DatabaseError || error instanceof ConfigurationError) return error.message;
      throw error;
    }
  }
}

function withoutMigrations(tables: DatabaseModel['tables']): DatabaseModel['tables'] {
  return Object.fromEntries(Object.entries(tables).filter(([name]) => name !== MIGRATIONS_TABLE));
}
