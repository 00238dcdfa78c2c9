// The API that reliability tests put under load: a module of the test project. Besides fast operations it has slow ones,
// which are in flight when a server is stopped, and streams.
import { setTimeout as delay } from 'node:timers/promises';
import { defineApi, defineProcedure, defineRpcService, Type } from 'apidesc-platform';

const service = (route, methods) => defineRpcService({ description: `For ${route}.`, route, methods });

const Text = Type.Object({ text: Type.String({ maxLength: 10_000 }) });

const Echo = service('/load/echo', {
  POST: defineProcedure({ fields: Text, response: Text, handler: ({ body }) => ({ text: body.text }) }),
});

const Slow = service('/load/slow', {
  GET: defineProcedure({
    response: Text,
    handler: async () => {
      await delay(150);
      return { text: 'late' };
    },
  }),
});

const Lines = service('/load/lines', {
  GET: defineProcedure({
    query: Type.Object({ count: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 100 }) }),
    stream: ['application/x-ndjson', 'text/event-stream'],
    response: Text,
    handler: async function* ({ query }) {
      for (let at = 0; at < query.count; at++) {
        if (at % 100 === 99) await delay(0);
        yield { text: `line ${at} of a stream that may be long` };
      }
    },
  }),
});

export default {
  name: 'load',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Load',
      description: 'For load.',
      versions: { 1: { services: { Echo, Slow, Lines } } },
    }),
  ],
};
