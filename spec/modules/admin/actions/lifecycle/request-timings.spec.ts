import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import {
  LocalConfiguration,
  Response as PlatformResponse,
  type BootstrapEvent,
  type Module,
  type MvcEvent,
} from '../../../../../src/framework';
import { callKey, RequestTimings } from '../../../../../src/modules/admin/actions/lifecycle/request-timings';
import { ConfigurationChanges } from '../../../../../src/modules/admin/changes/configuration-changes';
import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { setTestTimeout } from '../../../../factories/test-timeout';

setTestTimeout(60);

const MIB = 1024 * 1024;
/** The length of a long response. */
const LENGTH = 128 * MIB;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The bytes of buffers that something keeps. */
function keptBytes(): number {
  // The second collection waits until the buffers that the first one has found are freed.
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().external;
}

/** {@link keptBytes} when most of the long response is sent. */
let keptNearEnd = 0;

/** Slow listeners, a path that is never answered, and one with a long response. */
class SlowModule implements Module {
  readonly name = 'slow';
  onBootstrap({ application: { events } }: BootstrapEvent): void {
    // Before the route is matched.
    events.attach('route', beSlow, 5);
    events.attach('route', hang, 4);
    events.attach('route', respondAtLength, 3);
    events.attach('authentication', knowNobody, 7);
  }
}

async function beSlow(): Promise<void> {
  await wait(30);
}

async function hang({ request }: MvcEvent): Promise<void> {
  if (request.path === '/hang') await wait(30_000, undefined, { ref: false });
}

function respondAtLength({ request }: MvcEvent): PlatformResponse | undefined {
  return request.path === '/long' ? new PlatformResponse(200, Readable.from(longText())) : undefined;
}

function* longText(): Generator<Buffer> {
  const chunk = Buffer.alloc(MIB, 'x');
  for (let sent = 0; sent < LENGTH; sent += MIB) {
    if (sent === (3 / 4) * LENGTH) keptNearEnd = keptBytes();
    yield chunk;
  }
}

function knowNobody(): undefined {
  return undefined;
}

let platform: AdminPlatform;
let timings: RequestTimings;
beforeAll(async () => {
  platform = await startAdminPlatform({ extra: [new SlowModule()] });
  timings = new RequestTimings(
    new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root)),
  );
});
afterAll(() => platform.stop());

/** The durations by event and name of the listener. */
function durations(calls: ReadonlyMap<string, number>): ReadonlyMap<string, number> {
  const { events, view } = platform.application;
  const described = [
    ...events.describe().map((one) => ({ ...one, of: 'application' as const })),
    ...view.events.describe().map((one) => ({ ...one, of: 'view' as const })),
  ];
  return new Map(
    described.flatMap(({ of, event, sequence, name }) => {
      const duration = calls.get(callKey(of, event, sequence));
      return duration === undefined ? [] : [[`${event} ${name}`, duration] as const];
    }),
  );
}

describe('A measured request', () => {
  it('has the durations of the listeners of every event that it triggered', async () => {
    const { status, duration, calls, path } = await timings.measure('/v1/atlas/countries?region=Europe');
    const found = durations(calls);
    expect([status, path]).toEqual([200, '/v1/atlas/countries?region=Europe']);
    expect(found.get('route beSlow')).toBeGreaterThan(25);
    for (const name of [
      'route FrameworkListeners.match',
      'authentication knowNobody',
      'dispatch FrameworkListeners.dispatch',
      'renderer JsonStrategy.selectRenderer',
      'response FrameworkListeners.send',
    ])
      expect([name, found.has(name)]).toEqual([name, true]);
    expect(found.has('dispatch.error FrameworkListeners.showProblem')).toBe(false);
    expect(duration).toBeGreaterThan(found.get('route beSlow') ?? Infinity);
    expect(timings.latest()?.path).toBe(path);
  });

  it('is not mixed with other requests at the same time, which get their responses', async () => {
    const [{ calls, duration }, ...others] = await Promise.all([
      timings.measure('/v1/atlas/unknown'),
      ...Array.from({ length: 10 }, () => platform.request('/v1/atlas/countries')),
    ]);
    const found = durations(calls);
    expect(others.map(({ status }) => status)).toEqual(others.map(() => 200));
    expect(found.has('dispatch FrameworkListeners.dispatch')).toBe(false);
    expect(found.has('dispatch.error FrameworkListeners.showProblem')).toBe(true);
    // The sum of all requests would take longer than one.
    expect(found.get('route beSlow')).toBeLessThan(duration);
  });

  it('leaves nothing behind that other requests would call', async () => {
    const before = timings.latest()?.calls;
    const sizes = before?.size;
    await platform.request('/v1/atlas/countries');
    expect(timings.latest()?.calls.size).toBe(sizes);
  });

  it('ends after a while without a status if it is not answered', async () => {
    const { status, calls } = await timings.measure('/hang');
    expect(status).toBeUndefined();
    expect(durations(calls).has('dispatch FrameworkListeners.dispatch')).toBe(false);
  });

  it('does not keep the content of its response', async () => {
    const before = keptBytes();
    const { status } = await timings.measure('/long');
    expect(status).toBe(200);
    expect(keptNearEnd - before).toBeLessThan(LENGTH / 4);
  });

  it.each(['', 'v1/atlas', 'http://example.com/', '/a b', '/ä', `/${'a'.repeat(2000)}`, '/a\r\nX: y'])(
    'must have a valid path (case %#)',
    async (path) => {
      await expect(timings.measure(path)).rejects.toMatchObject({ status: 422 });
    },
  );
});
