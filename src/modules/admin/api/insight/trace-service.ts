import { Type, type Static } from '@sinclair/typebox';
import {
  defineProcedure,
  defineRestService,
  defineRpcService,
  type HandlerContext,
  type RestResource,
  type ServiceDefinition,
} from '../../../hosting';
import type { RequestTrace, TraceSummary } from '../../../operations';
import { MAX_MINUTES, MAX_REQUESTS } from '../../actions/traces/traces';
import type { AdminServices } from '../../services';
import { AdminResource } from '../resources/admin-resource';
import { actorOf } from '../resources/api-context';

const nullable = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const milliseconds = (description: string) => Type.Number({ description: `${description} In milliseconds.` });
const start = milliseconds('Since the request arrived.');
const duration = milliseconds('Includes the listeners of events that it triggers.');

const entry = Type.Union([
  Type.Object({
    kind: Type.Literal('listener'),
    of: Type.Union([Type.Literal('application'), Type.Literal('view')]),
    event: Type.String({ description: 'The name of the event.' }),
    listener: Type.String({ description: 'The name of the listener.' }),
    priority: Type.Number(),
    sequence: Type.Integer({ description: 'Identifies the listener within its event manager.' }),
    module: Type.String({ description: 'The module that attached it.' }),
    source: nullable('File and line.'),
    start,
    duration,
    outcome: Type.Union(
      (['continued', 'responded', 'returned', 'threw'] as const).map((one) => Type.Literal(one)),
      { description: 'Whether it continued, ended the phase with a response, returned a result, or threw.' },
    ),
    detail: nullable('The status of the response, the class of the result, or the error.'),
  }),
  Type.Object({
    kind: Type.Literal('statement'),
    adapter: Type.String({ description: 'The name of the database adapter.' }),
    text: Type.String({ description: 'With placeholders for parameters.' }),
    start,
    duration: milliseconds('Of the statement.'),
    rows: Type.Union([Type.Integer(), Type.Null()], { description: 'Returned rows; null if it failed.' }),
    error: nullable('Why it failed.'),
  }),
]);

const fields = Type.Object({
  id: Type.String({ description: 'The request ID.' }),
  at: Type.String({ format: 'date-time', description: 'When the request arrived.' }),
  method: Type.String(),
  path: Type.String({ description: 'Without the query.' }),
  status: Type.Union([Type.Integer(), Type.Null()], { description: 'Null if no response was sent.' }),
  code: nullable('The error code of a problem response.'),
  duration: milliseconds('Until the response was complete.'),
  user: nullable('Null for guests.'),
  operation: nullable('The operation.'),
  trace_id: Type.Optional(Type.String({ description: 'The trace ID (W3C Trace Context).' })),
  span_id: Type.Optional(Type.String()),
  query: Type.Optional(Type.Array(Type.String(), { description: 'The names of the query parameters.' })),
  aborted: Type.Optional(Type.Boolean({ description: 'Whether the client disconnected early.' })),
  truncated: Type.Optional(Type.Boolean({ description: 'Whether further entries were not recorded.' })),
  entries: Type.Optional(
    Type.Array(entry, { description: 'What was called, in the order of the start. Absent in the list.' }),
  ),
});

/** Defines the REST service of the request traces. */
export function traceService(admin: () => AdminServices): ServiceDefinition {
  return defineRestService({
    description:
      'Traces of requests: every listener and statement with its duration and outcome. They contain no credentials, ' +
      'cookies, bodies and query values.',
    route: '/traces[/:trace]',
    route_identifier_name: 'trace',
    parameters: { trace: Type.String({ description: 'The request ID.' }) },
    fields,
    page_size: 100,
    collection: {
      GET: { description: 'Lists the traces in memory, newest first, without their entries.' },
      DELETE: { description: 'Removes all traces.' },
    },
    entity: { GET: { description: 'Shows the latest trace with a request ID.' } },
    resource: new TraceResource(admin),
  });
}

type Entity = Static<typeof fields>;

class TraceResource extends AdminResource implements RestResource<Entity> {
  fetchAll(): readonly TraceSummary[] {
    return this.admin.traces.list();
  }

  fetch(id: string): Entity | undefined {
    const trace = this.admin.traces.find(id);
    return trace && toEntity(trace);
  }

  async deleteList(context: HandlerContext): Promise<boolean> {
    await this.admin.traces.clear(actorOf(context));
    return true;
  }
}

function toEntity({ query, entries, ...trace }: RequestTrace): Entity {
  return { ...trace, query: [...query], entries: [...entries] };
}

const state = Type.Object({
  recording: Type.Boolean({ description: 'Whether requests are recorded now.' }),
  always: Type.Boolean({ description: 'Whether all are: platform-operations.request_trace.enabled.' }),
  remaining: Type.Integer({ description: 'How many more requests will be recorded on demand.' }),
  until: nullable('When recording on demand ends.'),
  path: nullable('Only paths that begin with it are recorded on demand.'),
  user: nullable('Only requests of this user are recorded on demand.'),
});

/** Defines the procedure that records requests on demand. */
export function traceRecordingService(admin: () => AdminServices): ServiceDefinition {
  return defineRpcService({
    description: 'Records requests on demand.',
    route: '/trace-recording',
    methods: {
      GET: defineProcedure({
        description: 'Shows whether requests are recorded.',
        response: state,
        handler: () => admin().traces.state,
      }),
      POST: defineProcedure({
        description: 'Starts a recording, which replaces the previous one.',
        fields: Type.Object(
          {
            requests: Type.Integer({ minimum: 1, maximum: MAX_REQUESTS, default: 20 }),
            minutes: Type.Integer({ minimum: 1, maximum: MAX_MINUTES, default: 10 }),
            path: Type.Optional(
              Type.String({ pattern: '^/', maxLength: 2_000, description: 'The beginning of paths.' }),
            ),
            user: Type.Optional(Type.String({ minLength: 1, maxLength: 2_000 })),
          },
          { additionalProperties: false },
        ),
        response: state,
        handler: (context) => admin().traces.start(context.body, actorOf(context)),
      }),
      DELETE: defineProcedure({
        description: 'Stops recording on demand. Traces are kept.',
        response: state,
        handler: (context) => admin().traces.stop(actorOf(context)),
      }),
    },
  });
}
