import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import fc from 'fast-check';
import { defineApi, defineProcedure, defineRpcService, type Module } from '../../../../src/platform';
import type { ProcedureDefinition } from '../../../../src/modules/hosting';
import { ItemStream } from '../../../../src/modules/hosting/streaming/item-stream';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const LINES = 'application/x-ndjson';
const EVENTS = 'text/event-stream';

/** Lets the streams below continue. */
let open: () => void = () => undefined;
let gate = Promise.resolve();
let ended = 0;
beforeEach(() => {
  gate = new Promise((resolve) => (open = resolve));
  ended = 0;
});

const waiting = (heartbeat?: number) =>
  defineProcedure({
    stream: [EVENTS, LINES],
    ...(heartbeat === undefined ? {} : { heartbeat }),
    handler: async function* () {
      try {
        yield { id: 1 };
        await gate;
        yield { id: 2 };
      } finally {
        ended++;
      }
    },
  });
const halves = defineProcedure({
  stream: [EVENTS],
  handler: async function* () {
    yield Buffer.from('data: a whole ');
    await pause(200);
    yield Buffer.from('line\n\n');
  },
});

const service = (route: string, methods: { readonly GET: ProcedureDefinition }, more = {}) =>
  defineRpcService({ route, methods, ...more });

const services = {
  Often: service('/often', { GET: waiting(0.02) }),
  Service: service('/service', { GET: waiting() }, { heartbeat: 0.02 }),
  Never: service('/never', { GET: waiting(0) }),
  Halves: service('/halves', { GET: halves }, { heartbeat: 0.02 }),
  Usual: service('/usual', { GET: waiting() }),
};
const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({ name: 'House', heartbeat: 0, versions: { 1: { services } } }),
    defineApi({
      name: 'Shed',
      versions: { 1: { services: { Shed: service('/shed', { GET: waiting() }) } } },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [house],
    local: { 'platform-hosting': { heartbeat: 0.02 } },
  });
});
afterAll(() => platform.stop());

async function begin(path: string, accept = EVENTS) {
  const outgoing = request(platform.origin + path, { headers: { Accept: accept } });
  outgoing.on('error', () => undefined);
  outgoing.end();
  const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
  answer.setEncoding('utf8').on('error', () => undefined);
  return { asked: outgoing, answer };
}

/** Reads until the expected text arrives, and leaves the rest unread. */
async function readUntil(answer: Readable, looked: string): Promise<string> {
  let text = '';
  while (!text.includes(looked)) text += String((await once(answer, 'data'))[0]);
  return text;
}

describe('an idle event stream', () => {
  it.each(['/often', '/service', '/shed'])('sends comments while nothing happens (%s)', async (path) => {
    const { answer } = await begin(path);
    const before = await readUntil(answer, ':\n:\n');
    open();
    const text = before + (await readUntil(answer, '{"id":2}\n\n'));
    expect(text.startsWith('data: {"id":1}\n\n:\n')).toBe(true);
    expect(text.replaceAll(/^:\n/gm, '')).toBe('data: {"id":1}\n\ndata: {"id":2}\n\n');
  });

  it.each(['/never', '/usual'])('sends none when heartbeats are disabled (%s)', async (path) => {
    const { answer } = await begin(path);
    await readUntil(answer, '\n\n');
    setTimeout(open, 150);
    expect(await readUntil(answer, '\n\n')).toBe('data: {"id":2}\n\n');
  });

  it('sends none as NDJSON, which has no comments', async () => {
    const { answer } = await begin('/often', LINES);
    await readUntil(answer, '\n');
    setTimeout(open, 150);
    expect(await readUntil(answer, '\n')).toBe('{"id":2}\n');
  });

  it('sends none in the middle of a line that arrives in chunks', async () => {
    const { answer } = await begin('/halves');
    expect(await readUntil(answer, '\n\n')).toBe('data: a whole line\n\n');
  });

  it('sends none to a client that has disconnected, and ends', async () => {
    const { asked, answer } = await begin('/often');
    await readUntil(answer, ':\n');
    asked.destroy();
    await pause(100);
    open();
    while (ended === 0) await pause(5);
    expect(platform.log.lines).toEqual([]);
  });
});

describe('a heartbeat', () => {
  const never = async function* (): AsyncGenerator {
    yield await new Promise(() => undefined);
  };
  const streamOf = (items: AsyncIterable<unknown>, seconds: number) =>
    new ItemStream(items, {
      write: (item) => (item instanceof Uint8Array ? item : String(item)),
      begin: () => undefined,
      failed: () => undefined,
      heartbeat: { seconds, text: ':\n' },
    });

  it('does not accumulate for clients that do not read', async () => {
    const stream = streamOf(never(), 0.005);
    stream.read(0);
    await pause(150);
    expect(stream.readableLength).toBe(2);
    stream.destroy();
  });

  it('ends with the stream', async () => {
    const stream = streamOf(never(), 0.005);
    stream.read(0);
    stream.destroy();
    await pause(50);
    expect(stream.readableLength).toBe(0);
  });

  it('does not change what is between the comments', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.tuple(fc.string({ unit: fc.constantFrom('a', '\n', 'ü') }), fc.integer({ min: 0, max: 4 })),
          {
            maxLength: 8,
          },
        ),
        async (items) => {
          const source = async function* () {
            for (const [text, wait] of items) {
              if (wait > 0) await pause(wait);
              yield Buffer.from(text);
            }
          };
          const chunks: Buffer[] = [];
          for await (const chunk of streamOf(source(), 0.001)) chunks.push(chunk as Buffer);
          const text = Buffer.concat(chunks).toString();
          expect(text.replaceAll(/^:\n/gm, '')).toBe(items.map(([one]) => one).join(''));
        },
      ),
      { numRuns: 30 },
    );
  });
});

describe('a declaration of a heartbeat', () => {
  const refusal = (procedure: object, more: object = {}) =>
    startRefusal({
      modules: HOSTING,
      extra: [
        {
          name: 'shed',
          requires: ['hosting'],
          apis: [
            defineApi({
              name: 'Shed',
              versions: {
                1: {
                  services: {
                    T: {
                      kind: 'rpc',
                      route: '/t',
                      methods: { GET: { handler: () => [], ...procedure } },
                      ...more,
                    },
                  },
                },
              },
            }),
          ],
        },
      ],
    });

  it('is rejected for an operation without an event stream', async () => {
    const told = 'Shed-v1/T GET has a heartbeat but no stream of text/event-stream. Remove "heartbeat".';
    expect(await refusal({ heartbeat: 5 })).toBe(told);
    expect(await refusal({ heartbeat: 5, stream: [LINES] })).toBe(told);
  });

  it.each([-1, Number.NaN, 1e9])('is rejected when it is not a number of seconds (%s)', async (heartbeat) => {
    expect(await refusal({ stream: [EVENTS], heartbeat })).toBe(
      `Shed-v1/T GET: heartbeat is ${heartbeat}. Write a number of seconds from 0 (off) to 86400.`,
    );
    expect(await refusal({}, { timeout: heartbeat })).toContain(`Shed-v1/T GET: timeout is ${heartbeat}.`);
  });

  it('is a positive number in the configuration schema too', async () => {
    expect(
      await startRefusal({ modules: HOSTING, local: { 'platform-hosting': { heartbeat: 'often' } } }),
    ).toContain('platform-hosting.heartbeat');
  });
});
