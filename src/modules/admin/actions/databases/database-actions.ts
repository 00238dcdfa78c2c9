import { Problem, problem, type ConfigObject } from '../../../../framework';
import type {
  ConnectionTest,
  DatabaseInspector,
  DatabaseSummary,
  Drift,
  InspectedDatabase,
  SnapshotReview,
  TableModel,
  TableProposal,
} from '../../../database';
import type { Actor } from '../../changes/change';
import { toChangeProblem } from '../../changes/change-problem';
import type { ConfigurationChanges } from '../../changes/configuration-changes';
import { masked } from '../../changes/comparison/difference';
import { AuditLog } from '../../audit/audit-log';
import type { PendingReload } from '../insight/pending-reload';
import { tableUses, type TableUse } from './table-usage';

/** A configured database, with masked secrets. */
export interface DatabaseView extends DatabaseSummary {
  /** How many services are over its tables. */
  readonly services: number;
}

/** A table or view of a database. */
export interface DatabaseTable {
  readonly model: TableModel;
  /** The services over it. */
  readonly uses: readonly TableUse[];
  readonly drift: readonly Drift[];
  /** Whether services can be built over it: the snapshot contains it, or there is none. */
  readonly isUsable: boolean;
}

/** A database with its tables. */
export interface DatabaseDetails extends DatabaseView, Pick<InspectedDatabase, 'hasSnapshot'> {
  readonly tables: readonly DatabaseTable[];
  readonly drift: readonly Drift[];
  /** Why its tables could not be read. */
  readonly readProblem: string | undefined;
}

/** Shows the configured databases, their tables, and the services over them. */
export class DatabaseActions {
  readonly #changes: ConfigurationChanges;
  readonly #pending: PendingReload;
  readonly #audit: AuditLog;

  constructor(changes: ConfigurationChanges, pending: PendingReload, audit = AuditLog.none()) {
    this.#changes = changes;
    this.#pending = pending;
    this.#audit = audit;
  }

  /** Whether the module with the databases is loaded. */
  get isEnabled(): boolean {
    return this.#changes.running.services.has('DatabaseInspector');
  }

  /** Lists the databases without using them. */
  async list(): Promise<readonly DatabaseView[]> {
    if (!this.isEnabled) return [];
    const inspector = await this.#inspector();
    return Promise.all(inspector.names.map((name) => this.#view(inspector, name)));
  }

  /** Reads the tables of a database. @throws Problem 404 */
  async get(name: string): Promise<DatabaseDetails> {
    const inspector = await this.#inspectorOf(name);
    const { hasSnapshot, tables, newTables, drift, problem: readProblem } = await inspector.inspect(name);
    const uses = tableUses(this.#changes.running).filter(({ adapter }) => adapter === name);
    const toTable = (isUsable: boolean) => (model: TableModel) => ({
      model,
      uses: uses.filter(({ table }) => table === model.name),
      drift: drift.filter(({ table }) => table === model.name),
      isUsable,
    });
    const all = [
      ...Object.values(tables).map(toTable(true)),
      ...Object.values(newTables).map(toTable(false)),
    ].sort((a, b) => (a.model.name < b.model.name ? -1 : 1));
    return { ...(await this.#view(inspector, name)), hasSnapshot, tables: all, drift, readProblem };
  }

  /** @throws Problem 404 */
  async table(database: string, name: string): Promise<DatabaseTable> {
    const { tables } = await this.get(database);
    const found = tables.find(({ model }) => model.name === name);
    if (found !== undefined) return found;
    throw problem('name_not_found', { kind: 'table', name, names: tables.map(({ model }) => model.name) });
  }

  /** Uses a connection of a database. @throws Problem 404 */
  async test(name: string): Promise<ConnectionTest> {
    return (await this.#inspectorOf(name)).test(name);
  }

  /** Compares the snapshot with what it would be now. @throws Problem 404, 503 if the database cannot be read */
  async reviewSnapshot(name: string): Promise<SnapshotReview> {
    const inspector = await this.#inspectorOf(name);
    const { problem: reason } = await inspector.test(name);
    if (reason !== undefined) throw new Problem(503, `The database "${name}" cannot be read: ${reason}`);
    return inspector.reviewSnapshot(name);
  }

  /**
   * Writes the snapshot, and builds the services from it.
   * @param expect the tag of the review
   * @throws Problem 404, 412 if the tables have changed since the review, 422 if the configuration files are invalid, 503,
   *   507 if the file cannot be written
   */
  async updateSnapshot(name: string, actor: Actor, expect?: string): Promise<SnapshotReview> {
    const review = await this.reviewSnapshot(name);
    if (expect !== undefined && expect !== review.tag)
      throw problem('changed_meanwhile', { what: `The database "${name}"` });
    const inspector = await this.#inspectorOf(name);
    // Without a reload, the services would not be built from it.
    await this.#pending.assertValid();
    const summary = `Updated the snapshot of the database "${name}".`;
    await this.#audit.run({ action: 'snapshot_update', actor, target: review.file, summary }, async () => {
      try {
        await inspector.writeSnapshot(name, review);
      } catch (error) {
        throw toChangeProblem(error);
      }
    });
    this.#changes.running.observers.notify('changed', { actor, summary, file: review.file });
    await this.#pending.reload(actor);
    return review;
  }

  /** Proposes a service over a table of a database. */
  async propose(name: string, table: TableModel): Promise<TableProposal> {
    return (await this.#inspector()).propose(name, table);
  }

  async #view(inspector: DatabaseInspector, name: string): Promise<DatabaseView> {
    const summary = await inspector.describe(name);
    const services = tableUses(this.#changes.running).filter(({ adapter }) => adapter === name).length;
    return { ...summary, options: this.#masked(name, summary.options), services };
  }

  #masked(name: string, options: ConfigObject): ConfigObject {
    const { configuration } = this.#changes;
    const at = ['platform-db', 'adapters', name, 'options'];
    return Object.fromEntries(
      Object.entries(options).map(([key, value]) => [
        key,
        masked(value, [...at, key], (path) => configuration.isSecret(path)),
      ]),
    );
  }

  async #inspectorOf(name: string): Promise<DatabaseInspector> {
    const inspector = this.isEnabled ? await this.#inspector() : undefined;
    if (inspector?.names.includes(name) === true) return inspector;
    throw problem('name_not_found', { kind: 'database', name, names: inspector?.names ?? [] });
  }

  /** By its name: the module is loaded only by projects that use it. */
  #inspector(): Promise<DatabaseInspector> {
    return this.#changes.running.services.get<DatabaseInspector>('DatabaseInspector');
  }
}
