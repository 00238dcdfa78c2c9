import { Type } from '@sinclair/typebox';
import { defineProcedure, defineRpcService, type ServiceDefinition } from '../../hosting';
import { RANGES } from '../actions/dashboard/points';
import type { AdminServices } from '../services';

/** Defines the procedure that shows the numbers of the dashboard. */
export function dashboardService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'What the service does: requests, errors, durations, and the process.',
    route: '/dashboard',
    authorization: 'authenticated',
    methods: {
      GET: defineProcedure({
        description:
          'Shows the numbers of the dashboard. `points` has series of values, oldest first, null where nothing is ' +
          'known; durations are in seconds, memory in bytes. Requests of administrators are not counted.',
        query: Type.Object({
          minutes: Type.Optional(
            Type.Union(
              RANGES.map((range) => Type.Literal(range)),
              { default: 15, description: 'The time to show, until now.' },
            ),
          ),
        }),
        handler: ({ query: { minutes = 15 } }) => admin().dashboard.get(minutes),
      }),
    },
  });
}
