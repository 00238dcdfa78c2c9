import { Type, type TArray } from '@sinclair/typebox';
import type { ServiceDefinition } from '../../../hosting';
import type { AdminServices } from '../../services';
import { minutesQuery } from './minutes-query';
import { viewService } from './view-service';

const STATES = ['starting', 'serving', 'behind', 'stopping', 'unreachable'] as const;

const node = Type.Object({
  node: Type.String({ description: 'Its id, unique in the deployment.' }),
  host: Type.String({ description: 'The name of its machine.' }),
  pid: Type.Integer({ description: 'Its process.' }),
  version: Type.String({ description: 'Of the software.' }),
  revision: Type.Integer({ description: 'The revision of the configuration that it serves.' }),
  state: Type.Union(
    STATES.map((state) => Type.Literal(state)),
    {
      description:
        '`behind` cannot use the current revision, and serves an earlier one; `unreachable` was not seen for 10 seconds.',
    },
  ),
  problem: Type.Optional(Type.String({ description: 'Why it is behind.' })),
  started: Type.String({ format: 'date-time' }),
  load: Type.Number({ description: 'The share of time in which its event loop was busy, 0 to 1.' }),
  requests: Type.Number({ description: 'Requests per second.' }),
  errors: Type.Integer({ description: 'Responses with status 5xx since it started.' }),
  memory: Type.Number({ description: 'Bytes of resident memory; 0 if it is not known.' }),
  last_seen: Type.Number({ description: 'Seconds since it was last seen.' }),
  self: Type.Boolean({ description: 'Whether it sent this response.' }),
});

/** Defines the procedure that lists the nodes of the deployment. */
export function nodeService(admin: () => AdminServices): ServiceDefinition {
  return viewService(admin, {
    description: 'The nodes: processes that share one configuration.',
    route: '/nodes',
    shows: 'Lists the nodes. A service with its configuration in files is a single one.',
    response: Type.Object({
      store: Type.String({ description: '`file`, `redis` or `postgres`: where the configuration is kept.' }),
      revision: Type.Integer({ description: 'The current revision of the configuration.' }),
      nodes: Type.Array(node),
      problem: Type.Optional(
        Type.String({ description: 'Why this is the last known state: the store cannot be reached.' }),
      ),
    }),
    get: async ({ nodes }) => {
      const { nodes: all, ...rest } = await nodes.get();
      return {
        ...rest,
        nodes: all.map(({ id, lastSeen, isSelf, format: _, ...one }) => ({
          node: id,
          ...one,
          last_seen: lastSeen,
          self: isSelf,
        })),
      };
    },
  });
}

const series = (description: string): TArray =>
  Type.Array(Type.Union([Type.Number(), Type.Null()]), { description });

/** Defines the procedure that shows the last minutes of each node. */
export function nodeHistoryService(admin: () => AdminServices): ServiceDefinition {
  return viewService(admin, {
    description: 'The nodes over the last minutes.',
    route: '/nodes/history',
    shows:
      'Shows the last minutes of each node, as this one has seen them: series of values, oldest first, null while a ' +
      'node was not seen. Without a configuration store, there are no nodes.',
    query: minutesQuery,
    response: Type.Object({
      step: Type.Number({ description: 'Seconds between two points.' }),
      ages: Type.Array(Type.Number(), { description: 'Seconds before now, of each point.' }),
      nodes: Type.Array(
        Type.Object({
          node: Type.String({ description: 'Its id.' }),
          requests: series('Requests per second.'),
          server_errors: series('Responses with status 5xx per second.'),
          load: series('The share of time in which its event loop was busy, 0 to 1.'),
          memory: series('Bytes of resident memory.'),
        }),
      ),
    }),
    get: ({ nodes }, { minutes = 15 }) => {
      const { nodes: all, ...rest } = nodes.history(minutes);
      return {
        ...rest,
        nodes: all.map(({ serverErrors, ...one }) => ({ ...one, server_errors: serverErrors })),
      };
    },
  });
}
