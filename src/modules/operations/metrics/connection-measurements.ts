import type { ConnectionCounts, Measurement } from '../../../framework';

/** The metrics of the connections of a server. @param connections called at each measurement */
export function connectionMeasurements(connections: () => ConnectionCounts): readonly Measurement[] {
  return [
    {
      name: 'apidesc_connections_open',
      help: 'Open connections of the port of the APIs.',
      type: 'gauge',
      values: () => [[{}, connections().open]],
    },
    {
      name: 'apidesc_connections_refused_total',
      help: 'Refused connections by the setting of the server that was the cause.',
      type: 'counter',
      values: () =>
        Object.entries(connections().refused).map(([cause, count]) => [{ cause }, count] as const),
    },
  ];
}
