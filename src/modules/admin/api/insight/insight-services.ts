import { Type } from '@sinclair/typebox';
import type { ServiceDefinition } from '../../../hosting';
import type { AdminServices } from '../../services';
import { minutesQuery } from './minutes-query';
import { viewService } from './view-service';

/** Defines the procedure that shows the effective configuration. */
export function configurationService(admin: () => AdminServices): ServiceDefinition {
  return viewService(admin, {
    description: 'The effective configuration.',
    route: '/configuration',
    shows: 'Shows every value with its source. Secrets are masked.',
    query: Type.Object({
      search: Type.Optional(
        Type.String({ description: 'Words that the key path, value or source must contain.' }),
      ),
      changed: Type.Optional(Type.Boolean({ description: 'Whether to omit defaults.' })),
      at: Type.Optional(
        Type.String({ description: 'A JSON Pointer (RFC 6901): limits the values to this path.' }),
      ),
      offset: Type.Optional(Type.Integer({ minimum: 0, description: 'How many values to skip.' })),
      limit: Type.Optional(
        Type.Integer({ minimum: 1, maximum: 1000, default: 1000, description: 'How many to show at most.' }),
      ),
    }),
    get: ({ configuration }, { search, changed, at = '', offset, limit = 1000 }) =>
      configuration.find({
        at: configuration.pathTo(at),
        limit,
        ...(offset === undefined ? {} : { offset }),
        ...(search === undefined ? {} : { text: search }),
        ...(changed === undefined ? {} : { onlyChanged: changed }),
      }),
  });
}

/** Defines the procedure that lists event listeners. */
export function listenerService(admin: () => AdminServices): ServiceDefinition {
  return viewService(admin, {
    description: 'The events of the platform with their listeners.',
    route: '/listeners',
    shows: 'Lists the events, and their listeners by priority.',
    get: ({ listeners }) => listeners.get(),
  });
}

/** Defines the procedure that shows the state of the platform. */
export function overviewService(admin: () => AdminServices): ServiceDefinition {
  return viewService(admin, {
    description: 'The state of the platform.',
    route: '/overview',
    shows: 'Shows the APIs, recent changes, warnings and pending restarts.',
    get: ({ overview }) => overview.get(),
  });
}

/** Defines the procedure that shows the numbers of the dashboard. */
export function dashboardService(admin: () => AdminServices): ServiceDefinition {
  return viewService(admin, {
    description: 'What the service does: requests, errors, durations, and the process.',
    route: '/dashboard',
    shows:
      'Shows the numbers of the dashboard. `points` has series of values, oldest first, null where nothing is ' +
      'known; durations are in seconds, memory in bytes. Requests of administrators are not counted.',
    query: minutesQuery,
    get: ({ dashboard }, { minutes = 15 }) => dashboard.get(minutes),
  });
}
