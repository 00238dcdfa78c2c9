import { Type } from '@sinclair/typebox';
import { defineProcedure, defineRpcService, type ServiceDefinition } from '../../hosting';
import type { AdminServices } from '../services';

/** Defines the procedure that shows the effective configuration. */
export function configurationService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'The effective configuration.',
    route: '/configuration',
    authorization: 'authenticated',
    methods: {
      GET: defineProcedure({
        description: 'Shows every value with its source. Secrets are masked.',
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
            Type.Integer({
              minimum: 1,
              maximum: 1000,
              default: 1000,
              description: 'How many to show at most.',
            }),
          ),
        }),
        handler: ({ query: { search, changed, at = '', offset, limit = 1000 } }) => {
          const { configuration } = admin();
          return configuration.find({
            at: configuration.pathTo(at),
            limit,
            ...(offset === undefined ? {} : { offset }),
            ...(search === undefined ? {} : { text: search }),
            ...(changed === undefined ? {} : { onlyChanged: changed }),
          });
        },
      }),
    },
  });
}

/** Defines the procedure that lists event listeners. */
export function listenerService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'The events of the platform with their listeners.',
    route: '/listeners',
    authorization: 'authenticated',
    methods: {
      GET: defineProcedure({
        description: 'Lists the events, and their listeners by priority.',
        handler: () => admin().listeners.get(),
      }),
    },
  });
}

/** Defines the procedure that shows the state of the platform. */
export function overviewService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'The state of the platform.',
    route: '/overview',
    authorization: 'authenticated',
    methods: {
      GET: defineProcedure({
        description: 'Shows the APIs, recent changes, warnings and pending restarts.',
        handler: () => admin().overview.get(),
      }),
    },
  });
}
