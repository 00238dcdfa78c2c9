import type { Application, Measurement } from '../../../../framework';
import type { DatabaseAdapter } from '../database-adapter';

/**
 * Reports the databases of an application to monitoring systems.
 * @param held the databases that are used, by name; read at each measurement
 */
export function monitorDatabases(
  { measurements }: Pick<Application, 'measurements'>,
  held: () => Iterable<readonly [name: string, adapter: DatabaseAdapter]>,
): void {
  const available: Measurement = {
    name: 'apidesc_database_available',
    help: '1 if the database was available when it was used last.',
    type: 'gauge',
    aggregate: 'minimum',
    values: function* () {
      for (const [adapter, { isAvailable }] of held())
        yield [{ adapter }, isAvailable === false ? 0 : 1] as const;
    },
  };
  const connections: Measurement = {
    name: 'apidesc_database_connections',
    help: 'Connections of the pool by state, and requests that wait for one.',
    type: 'gauge',
    values: function* () {
      for (const [adapter, { pool }] of held()) {
        if (pool === undefined) continue;
        for (const [state, count] of Object.entries(pool)) yield [{ adapter, state }, count] as const;
      }
    },
  };
  measurements.push(available, connections);
}
