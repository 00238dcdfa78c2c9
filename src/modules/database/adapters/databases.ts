import path from 'node:path';
import { ApplicationHost, ConfigurationErrors, type Application } from '../../../framework';
import type { Kysely } from 'kysely';
import { kyselyOver } from '../kysely/kysely-over';
import type { Tables } from '../query/compiled-query';
import { DATABASE_KEY, databaseSettings } from '../settings';
import { completed, driftOf, type Drift } from '../introspection/drift';
import { driftRemedy, hasPending } from '../migrations/drift-remedy';
import { changesDataOf, migrateForBuild } from '../migrations/migrate-for-build';
import { Migrations } from '../migrations/migrations';
import { MIGRATIONS_TABLE } from '../migrations/migrations-table';
import { migratedDatabases } from '../migrations/module-migrations';
import { readSnapshot } from '../introspection/snapshot';
import type { DatabaseModel } from '../introspection/table-model';
import type { DatabaseAdapter } from './database-adapter';
import { configuredDatabase } from './configured-database';
import { DatabaseError } from './database-error';
import { DatabasePools } from './database-pools';
import type { ServicePrivileges } from './postgres/missing-privileges';
import { monitorDatabases } from './availability/monitor-databases';
import { ObservedAdapter } from './observed/observed-adapter';
import { RepeatedUses } from './availability/repeated-uses';
import { unreachableAdvice } from './availability/unreachable-advice';

/** The tables of a database, and how its snapshot differs from it. */
export interface KnownModel {
  readonly model: DatabaseModel;
  readonly drift: readonly Drift[];
  /** Whether it lacks migrations of modules, which a read-only command does not apply. */
  readonly isPending: boolean;
  /** The tables of the database, if its snapshot is another one: services may fit these. */
  readonly actual?: DatabaseModel | undefined;
}

interface ServiceReference {
  readonly api: string;
  readonly version: number;
  readonly service: string;
}

/** The configured databases of one application, opened on first use. */
export class Databases {
  readonly #application: Application;
  readonly #pools: DatabasePools;
  /** Keys of the pools that this application holds, by adapter name. */
  readonly #held = new Map<string, { readonly key: string; readonly adapter: ObservedAdapter }>();

  constructor(application: Application) {
    this.#application = application;
    this.repeatedUses = new RepeatedUses(application);
    this.#pools = application.sharedState.getOrCreate(DatabasePools, () => new DatabasePools());
  }

  /** The warnings about databases without a snapshot whose tables are not known. */
  readonly unread: string[] = [];
  /** What the services over tables of PostgreSQL need. */
  readonly servicePrivileges: ServicePrivileges[] = [];
  readonly #services = new Set<string>();
  readonly repeatedUses: RepeatedUses;
  /** Models of the databases by name, read once per application; undefined for one that cannot be reached. */
  readonly #models = new Map<string, Promise<KnownModel | undefined>>();

  /** Returns the databases of an application. */
  static async of(application: Application): Promise<Databases> {
    const { services, events } = application;
    if (services.has(Databases)) {
      // Each service over a table asks for them: without the promises of the container.
      const known = services.constantOf(Databases);
      return known instanceof Databases ? known : services.get(Databases);
    }
    const databases = new Databases(application);
    services.set(Databases, databases);
    events.attach('shutdown', () => databases.#release());
    monitorDatabases(application, () =>
      [...databases.#held].map(([name, { adapter }]) => [name, adapter] as const),
    );
    return databases;
  }

  /** Records that a service is over a table. */
  addService({ api, version, service }: ServiceReference): void {
    this.#services.add(`${api}-v${version}/${service}`);
  }

  isTableService({ api, version, service }: ServiceReference): boolean {
    return this.#services.has(`${api}-v${version}/${service}`);
  }

  /** Identifies a service over a database with the current options: another database has other tables. */
  serviceKey(name: string, { api, version, service }: ServiceReference): string {
    return JSON.stringify([this.#held.get(name)?.key, api, version, service]);
  }

  /** The configured names. */
  get names(): readonly string[] {
    const { configuration } = this.#application;
    return Object.keys(configuration.section(DATABASE_KEY, databaseSettings).adapters);
  }

  /** @throws ConfigurationError for databases of an unknown kind, or with invalid options, also if nothing uses them yet */
  async assertConfigured(): Promise<void> {
    const errors = new ConfigurationErrors();
    for (const name of this.names)
      await errors.collectAsync(async () => {
        const { factory, options } = await configuredDatabase(this.#application, name, DATABASE_KEY);
        factory.assertValid?.(options, { name });
      });
    errors.assertNone();
  }

  /**
   * Returns a configured database.
   * @param where what uses it, for messages
   * @throws ConfigurationError for an unknown name or kind, invalid options, or a missing driver
   */
  async adapter(name: string, where: string): Promise<ObservedAdapter> {
    const held = this.#held.get(name);
    if (held !== undefined) return held.adapter;
    const { kind, options, factory } = await configuredDatabase(this.#application, name, where);
    // Another call may have opened it meanwhile: only one use is released.
    const opened = this.#held.get(name);
    if (opened !== undefined) return opened.adapter;
    const key = JSON.stringify([name, kind, options]);
    const { configuration, sharedState } = this.#application;
    const context = { name, root: configuration.root, changesData: changesDataOf(sharedState) };
    const adapter = this.#pools.acquire(key, () => new ObservedAdapter(name, factory.open(options, context)));
    this.#held.set(name, { key, adapter });
    this.#application.dependencies.push({
      name: `database ${name}`,
      isAvailable: () => adapter.isAvailable !== false,
    });
    return adapter;
  }

  /** Returns the Kysely instance of a configured database. @throws ConfigurationError as {@link adapter} */
  async kysely(name: string, where: string): Promise<Kysely<Tables>> {
    return kyselyOver(await this.adapter(name, where));
  }

  /**
   * Returns the tables of a database, from its snapshot if it has one; read once.
   * @returns undefined if there is no snapshot and no connection, in which case the application is built again when there
   *   is; also if there is no snapshot and the tables lack pending migrations
   */
  async model(name: string, where: string): Promise<KnownModel | undefined> {
    const adapter = await this.adapter(name, where);
    const known = this.#models.get(name) ?? this.#read(name, adapter);
    this.#models.set(name, known);
    return known;
  }

  async #read(name: string, adapter: DatabaseAdapter): Promise<KnownModel | undefined> {
    const { configuration, warnings } = this.#application;
    const snapshot = await readSnapshot(configuration.root, name);
    const actual = await this.#introspect(name, adapter, snapshot !== undefined);
    const isPending = actual?.isPending === true;
    if (snapshot === undefined) return isPending ? undefined : actual;
    if (actual === undefined) return { model: snapshot, drift: [], isPending };
    const drift = driftOf(snapshot, actual.model);
    const { tables } = actual.model;
    const hasNew = Object.keys(tables).some(
      (table) => table !== MIGRATIONS_TABLE && !Object.hasOwn(snapshot.tables, table),
    );
    const isOlder = hasNew || drift.length > 0;
    const model = completed(snapshot, actual.model);
    const known = { model, drift, isPending, actual: isOlder ? actual.model : undefined };
    // Pending migrations may be what the snapshot is ahead of.
    if (drift.length === 0 || isPending) return known;
    const remedy = await driftRemedy(this.#migrations(name, adapter), name);
    for (const { message, severity } of drift) {
      const effect = severity === 'breaking' ? ' Services that use it respond with 503.' : '';
      warnings.push(`config/db/${name}.json: ${message}.${effect} ${remedy}`);
    }
    return known;
  }

  /** Whether migrations of a database are pending, other than those of modules. */
  async hasPendingMigrations(name: string, where: string): Promise<boolean> {
    return hasPending(this.#migrations(name, await this.adapter(name, where)));
  }

  #migrations(name: string, adapter: DatabaseAdapter): Migrations {
    return new Migrations(path.join(this.#application.configuration.root, 'migrations', name), adapter);
  }

  async #introspect(
    name: string,
    adapter: DatabaseAdapter,
    hasSnapshot: boolean,
  ): Promise<KnownModel | undefined> {
    const { modules, sharedState } = this.#application;
    const read = async (): Promise<KnownModel> => {
      const mayBlock = sharedState.find(ApplicationHost)?.isActive === false;
      const pending = await migrateForBuild(this.#application, name, adapter, { mayBlock });
      if (pending !== undefined && !hasSnapshot) this.unread.push(pending);
      // With a snapshot, the start does not need to wait for locked tables.
      const model = await adapter.introspect({ mayBlock: mayBlock && !hasSnapshot });
      return { model, drift: [], isPending: pending !== undefined };
    };
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DatabaseError)) throw error;
      const { warnings } = this.#application;
      // Messages of drivers have no full stop.
      const reason = error.message.replace(/[^.]$/, '$&.');
      const advice = unreachableAdvice(adapter, error, `${DATABASE_KEY}.adapters.${name}.options.file`);
      const warning = `The database "${name}" (${adapter.target}) cannot be reached: ${reason} Its services respond with 503 until it can.${advice}`;
      warnings.push(warning);
      if (!hasSnapshot) this.unread.push(warning);
      // The services know their tables, and recover by themselves.
      if (hasSnapshot && !migratedDatabases(modules).includes(name)) return undefined;
      this.repeatedUses.add(name, async () => {
        await read();
        return true;
      });
      return undefined;
    }
  }

  async #release(): Promise<void> {
    const keys = [...this.#held.values()].map(({ key }) => key);
    this.#held.clear();
    this.repeatedUses.close();
    await Promise.all(keys.map((key) => this.#pools.release(key)));
  }
}
