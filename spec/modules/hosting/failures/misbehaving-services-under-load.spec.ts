import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Response as PlatformResponse,
  Type,
  type HandlerContext,
  type Module,
} from '../../../../src/platform';
import { Load } from '../../../factories/http/load';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

const streams: Readable[] = [];
let isBroken = false;
let isFinished = 0;

const procedure = (route: string, handler: (context: HandlerContext) => unknown) =>
  defineRpcService({ route, timeout: 0.1, methods: { GET: defineProcedure({ handler }) } });

/** The service's timeout, plus a margin. */
async function afterTimeout({ signal }: HandlerContext): Promise<void> {
  await once(signal, 'abort');
  await pause(50);
}

const circular: Record<string, unknown> = {};
circular.self = [circular];

function leak(): Readable {
  const stream = new Readable({ read: () => undefined });
  stream.push('begun ');
  streams.push(stream);
  return stream;
}

/** Created per application. */
class Moody {
  constructor() {
    if (isBroken) throw new Error('the database is gone');
  }
  fetch(id: string): { id: string } {
    return { id };
  }
}

const services = {
  Good: { ...procedure('/good', async () => pause(1).then(() => ({ good: true }))), timeout: 30 },
  Silent: procedure('/silent', () => new Promise(() => undefined)),
  Garbage: procedure('/garbage', async () => Promise.resolve(circular)),
  Undeclared: procedure('/undeclared', () => leak()),
  Leaky: procedure('/leaky', () => new PlatformResponse(200, leak())),
  LateLeak: procedure('/late-leak', async (context) => {
    await afterTimeout(context);
    return new PlatformResponse(200, leak());
  }),
  Late: procedure('/late', async (context) => {
    await afterTimeout(context);
    const { event } = context;
    isFinished++;
    event.response.status = 200;
    event.outgoing.write('late');
    event.outgoing.setHeader('X-Late', 'yes');
  }),
  Moody: defineRestService({
    route: '/moody[/:id]',
    route_identifier_name: 'id',
    fields: Type.Object({ id: Type.String() }),
    entity: { GET: {} },
    resource: Moody,
  }),
};

const house: Module = {
  name: 'house',
  requires: ['hosting'],
  apis: [defineApi({ name: 'House', versions: { 1: { services } } })],
};

let platform: TestPlatform;
let good: Load;
const loads: Load[] = [];
beforeEach(async () => {
  platform = await startTestPlatform({ modules: HOSTING, extra: [house] });
  isBroken = false;
  streams.length = 0;
  good = loadOf('/good', 4);
});
afterEach(async () => {
  // Repeats twice at most: unbounded retries would never end.
  await Promise.all(loads.splice(0).map((load) => load.stop()));
  await platform.stop();
});

function loadOf(path: string, clients: number): Load {
  const load = new Load([{ url: platform.origin + path }], clients);
  loads.push(load);
  return load;
}

/** A control service that must remain unaffected. */
async function isUnharmed(): Promise<void> {
  const answers = await good.stop();
  expect([...answers.keys()]).toEqual(['200']);
  expect(answers.get('200')).toBeGreaterThan(0);
}

describe('a healthy service next to a misbehaving one', () => {
  it.each([
    ['that never responds', '/silent', '503'],
    ['that returns invalid values', '/garbage', '500'],
    ['that returns undeclared streams', '/undeclared', '500'],
    ['that returns streams after its timeout', '/late-leak', '503'],
    ['that continues after its timeout', '/late', '503'],
  ])('%s does not affect it', async (_, path, status) => {
    const bad = loadOf(path, 40);
    await pause(700);
    expect([...(await bad.stop()).keys()]).toEqual([status]);
    await isUnharmed();
  });

  it('leaking streams does not affect it, and the streams are closed', async () => {
    const requests = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const one = request(`${platform.origin}/leaky`);
        one.on('error', () => undefined).end();
        const [answer] = (await once(one, 'response')) as [IncomingMessage];
        answer.on('error', () => undefined);
        await once(answer, 'data');
        return one;
      }),
    );
    expect(streams.filter(({ destroyed }) => !destroyed)).toHaveLength(60);
    for (const one of requests) one.destroy();
    while (streams.some(({ destroyed }) => !destroyed)) await pause(10);
    await isUnharmed();
  });

  it('streams that nobody reads are closed', async () => {
    await Promise.all(Array.from({ length: 60 }, () => platform.request('/undeclared')));
    await Promise.all(Array.from({ length: 60 }, () => platform.request('/late-leak')));
    while (streams.length < 120 || streams.some(({ destroyed }) => !destroyed)) await pause(10);
    await isUnharmed();
  });

  it('throwing in its constructor does not affect it, nor the application built before', async () => {
    isBroken = true;
    for (let times = 0; times < 5; times++) {
      await expect(platform.host.reload()).rejects.toThrow(
        /^The service Moody of House-v1: the resource class Moody cannot be created: .*: Error: the database is gone\n/,
      );
    }
    expect(await (await platform.request('/moody/1')).json()).toEqual({ id: '1' });
    isBroken = false;
    await platform.host.reload();
    await pause(100);
    await isUnharmed();
  });

  it('continuing after its timeout releases everything it started', async () => {
    isFinished = 0;
    await Promise.all(Array.from({ length: 60 }, () => platform.request('/late')));
    while (isFinished < 60) await pause(10);
    await pause(20);
    const late = platform.log.lines.filter(({ level }) => level === 'warn');
    expect(late).toHaveLength(60);
    await isUnharmed();
  });
});
