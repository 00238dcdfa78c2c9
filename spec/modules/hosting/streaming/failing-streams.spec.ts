import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { defineApi, defineProcedure, defineRpcService, Problem, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const LINES = 'application/x-ndjson';
const torn = new Error('the tape is torn');

/** A stream that failed before a listener could be attached. */
async function failed(): Promise<Readable> {
  const source = new Readable({ objectMode: true, read: () => undefined });
  source.on('error', () => undefined);
  source.destroy(torn);
  await pause(1);
  return source;
}

let isClosed = false;

/** The lines of the tape, which then breaks. */
function* wound(items: readonly number[]): Generator<number> {
  for (const item of items) yield item;
  throw torn;
}

async function* played(items: readonly number[]): AsyncGenerator<number> {
  await Promise.resolve();
  yield* wound(items);
}

/** Missing tapes; records when the stream is closed. */
async function* missing(tapes: readonly number[]): AsyncGenerator<number> {
  try {
    for (const tape of tapes) yield tape;
    throw new Problem(404, 'There is no such tape.');
  } finally {
    await Promise.resolve();
    isClosed = true;
  }
}

const handlers: Readonly<Record<string, () => unknown>> = {
  generator: () => played([]),
  'plain-generator': () => wound([]),
  iterator: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(torn) }) }),
  'late-iterator': async () => {
    await pause(1);
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => {
          throw torn;
        },
      }),
    };
  },
  stream: failed,
  'stream-at-once': () => new Readable({ objectMode: true }).destroy(torn),
  'async-stream': async () => Promise.resolve(new Readable({ objectMode: true }).destroy(torn)),
  'web-stream': () => new ReadableStream({ start: (controller) => controller.error(torn) }),
};

const about = (route: string, handler: () => unknown) =>
  defineRpcService({ route, methods: { GET: defineProcedure({ stream: [LINES], handler }) } });

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'House',
      versions: {
        1: {
          services: {
            ...Object.fromEntries(
              Object.entries(handlers).map(([name, handler], at) => [
                `Failing${at}`,
                about(`/${name}`, handler),
              ]),
            ),
            Missing: about('/missing', () => missing([])),
            Empty: about('/empty', () => []),
            Slow: about('/slow', async function* () {
              await pause(50);
              yield 1;
            }),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [house] })));
afterAll(() => platform.stop());
beforeEach(() => {
  platform.log.lines.length = 0;
});

describe('a stream that fails synchronously', () => {
  it.each(Object.keys(handlers))('is a bare 500 and logged for a %s', async (name) => {
    const answer = await platform.request(`/v1/${name}`);
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.text()).not.toContain('torn');
    expect(platform.log.lines.map(({ message }) => message)).toEqual(['The request failed.']);
    expect((platform.log.lines[0]?.details as { err: Error }).err.message).toBe(torn.message);
  });

  it('is the problem that it throws', async () => {
    const answer = await platform.request('/v1/missing');
    expect(answer.status).toBe(404);
    expect(await answer.json()).toMatchObject({ detail: 'There is no such tape.' });
    expect(isClosed).toBe(true);
    expect(platform.log.lines).toEqual([]);
  });

  it('is distinguished from one that is empty or slow', async () => {
    expect(await (await platform.request('/v1/empty')).text()).toBe('');
    expect(await (await platform.request('/v1/slow')).text()).toBe('1\n');
  });
});
