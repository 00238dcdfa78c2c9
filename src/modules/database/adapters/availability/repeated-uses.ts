import { ApplicationHost, type Application } from '../../../../framework';
import { Availability } from './availability';
import { DatabaseError } from '../database-error';

/** Uses of databases that failed while the services were built: when one succeeds, the services are built again. */
export class RepeatedUses {
  readonly #application: Application;
  /** By database: services that are built again repeat what still fails. */
  readonly #uses = new Map<string, Availability>();

  constructor(application: Application) {
    this.#application = application;
  }

  /**
   * Repeats a use until the database is available for it. Any other error ends it too: the build that follows has the
   * same one, and reports it.
   * @param use returns false, or throws a DatabaseError, if the database is not available
   */
  add(database: string, use: () => Promise<boolean>): void {
    if (this.#uses.has(database)) return;
    const { sharedState, log } = this.#application;
    const repeated = new Availability(async () => {
      const isUsable = await use().catch((error: unknown) => {
        if (error instanceof DatabaseError) throw error;
        return true;
      });
      if (isUsable) repeated.succeeded();
      else repeated.failed();
    });
    repeated.onAvailable(() => {
      Promise.resolve(sharedState.find(ApplicationHost)?.reload()).catch((err: unknown) =>
        log.error({ module: 'database', err, database }, 'The services of a database could not be built.'),
      );
    });
    repeated.failed();
    this.#uses.set(database, repeated);
  }

  close(): void {
    for (const repeated of this.#uses.values()) repeated.close();
  }
}
