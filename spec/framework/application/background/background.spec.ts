import { setTimeout as delay } from 'node:timers/promises';
import {
  BackgroundWork,
  defineApi,
  defineRestService,
  Type,
  type BackgroundTask,
  type Module,
} from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { until } from '../../../factories/until';

/** A promise that the test settles. */
function gate(): { readonly opened: Promise<void>; open(): void } {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open: () => open() };
}

const start = (extra: readonly Module[], server = {}): Promise<TestPlatform> =>
  startTestPlatform({ modules: HOSTING, extra, local: { server: { shutdown_timeout: 1, ...server } } });
const withTask = (task: Omit<BackgroundTask, 'name' | 'every'>): Module => ({
  name: 'shop',
  tasks: [{ name: 'clean', every: 0.1, immediately: true, ...task }],
});

describe('a task of a module', () => {
  it('is repeated, also after an error, which is logged', async () => {
    let runs = 0;
    const platform = await start([
      withTask({
        run: () => {
          runs++;
          throw new Error('No broom.');
        },
      }),
    ]);
    try {
      await until(() => runs >= 3);
      expect(platform.log.lines[0]).toMatchObject({
        level: 'error',
        message: 'Background work failed.',
        details: { name: 'clean', module: 'shop' },
      });
    } finally {
      await platform.stop();
    }
    const stopped = runs;
    await delay(300);
    expect(runs).toBe(stopped);
  });

  it('has one run at a time across reloads, and keeps its application until it ends', async () => {
    const first = gate();
    let runs = 0;
    let most = 0;
    let running = 0;
    const platform = await start([
      withTask({
        run: async () => {
          runs++;
          most = Math.max(most, ++running);
          if (runs === 1) await first.opened;
          running--;
        },
      }),
    ]);
    const disposed: string[] = [];
    try {
      await until(() => runs === 1);
      platform.application.events.attach('shutdown', () => void disposed.push('first'));
      for (let at = 0; at < 3; at++) await platform.host.reload();
      await delay(250);
      expect([runs, disposed]).toEqual([1, []]);
      first.open();
      await until(() => runs >= 3);
      await until(() => disposed.length === 1);
      expect(most).toBe(1);
    } finally {
      first.open();
      await platform.stop();
    }
  });

  it('is not begun again by a reload', async () => {
    let runs = 0;
    const platform = await startTestPlatform({
      modules: HOSTING,
      extra: [
        { name: 'shop', tasks: [{ name: 'daily', every: '1d', immediately: true, run: () => runs++ }] },
      ],
    });
    try {
      await until(() => runs === 1);
      await platform.host.reload();
      await delay(100);
      expect(runs).toBe(1);
    } finally {
      await platform.stop();
    }
  });

  it('is aborted by a shutdown, which waits for it', async () => {
    const events: string[] = [];
    const platform = await start([
      withTask({
        run: async ({ signal }) => {
          events.push('run');
          await new Promise((resolve) => signal.addEventListener('abort', resolve));
          await delay(100);
          events.push('end');
        },
      }),
    ]);
    await until(() => events.length === 1);
    await platform.stop();
    expect(events).toEqual(['run', 'end']);
  });

  it('does not keep a shutdown waiting beyond the timeout', async () => {
    const platform = await start([withTask({ run: () => new Promise(() => undefined) })]);
    await delay(50);
    await platform.stop();
    expect(platform.log.lines.at(-1)).toMatchObject({
      message: 'Background work did not end within server.shutdown_timeout.',
      details: { name: 'clean' },
    });
  });

  it('is an error at startup if it is invalid', async () => {
    for (const tasks of [
      [{ name: 'a', every: '5 minutes', run: () => 1 }],
      [{ name: 'a', every: 0, run: () => 1 }],
      [{ name: 'a', every: '25d', run: () => 1 }],
      [{ name: 'a', every: 5 }],
      [1, 2].map(() => ({ name: 'a', every: 5, run: () => 1 })),
    ])
      expect(
        await startRefusal({ modules: HOSTING, extra: [{ name: 'shop', tasks } as unknown as Module] }),
      ).toContain('Use a list of tasks with different names');
  });
});

describe('background work', () => {
  it('survives a reload, is waited for by a shutdown, and its errors are logged', async () => {
    const job = gate();
    const events: string[] = [];
    const platform = await start([]);
    const work = await platform.application.services.get(BackgroundWork);
    work.run('mail', async (signal) => {
      await job.opened;
      events.push(`sent ${signal.aborted}`);
    });
    work.run('broken', () => {
      throw new Error('No stamp.');
    });
    await platform.host.reload();
    const stopped = platform.stop();
    await delay(50);
    job.open();
    await stopped;
    expect(events).toEqual(['sent false']);
    expect(platform.log.lines).toContainEqual(
      expect.objectContaining({ message: 'Background work failed.', level: 'error' }),
    );
  });

  it('is aborted after the timeout of the shutdown, and refused afterwards', async () => {
    const events: string[] = [];
    const platform = await start([], { shutdown_timeout: 0 });
    const work = await platform.application.services.get(BackgroundWork);
    work.run('mail', async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
      events.push('aborted');
    });
    await platform.stop();
    expect(events).toEqual(['aborted']);
    work.run('late', () => void events.push('late'));
    await delay(20);
    expect(events).toEqual(['aborted']);
    expect(platform.log.lines.at(-1)?.message).toContain('was not begun: the service has stopped');
  });
});

describe('work that is not a function', () => {
  it('is an error where it is passed', async () => {
    const platform = await start([]);
    const work = await platform.application.services.get(BackgroundWork);
    const begun = Promise.resolve() as unknown as () => void;
    expect(() => work.run('mail', begun)).toThrow(
      'BackgroundWork.run(name, act) needs a function, such as () => send(order), not an instance of Promise.',
    );
    await platform.stop();
  });
});

describe('onStart and onStop of resources', () => {
  const moduleWith = (resource: object): Module => ({
    name: 'shop',
    requires: ['hosting'],
    apis: [
      defineApi({
        name: 'Shop',
        versions: {
          1: {
            services: {
              Order: defineRestService({
                route: '/orders[/:order_id]',
                route_identifier_name: 'order_id',
                fields: Type.Object({ order_id: Type.String() }),
                collection: { GET: {} },
                resource: resource,
              }),
            },
          },
        },
      }),
    ],
  });

  it('are called once for a resource that every application contains, before the first request', async () => {
    const calls: string[] = [];
    const platform = await start([
      moduleWith({
        fetchAll: () => [],
        onStart: async () => {
          await delay(50);
          calls.push('start');
        },
        onStop: () => void calls.push('stop'),
      }),
    ]);
    expect(calls).toEqual(['start']);
    await platform.host.reload();
    await delay(50);
    expect(calls).toEqual(['start']);
    await platform.stop();
    expect(calls).toEqual(['start', 'stop']);
  });

  it('are called for each instance of a class, the new one first', async () => {
    const calls: string[] = [];
    let instances = 0;
    class Orders {
      readonly id = ++instances;
      fetchAll(): readonly never[] {
        return [];
      }
      onStart(): void {
        calls.push(`start ${this.id}`);
      }
      onStop(): void {
        calls.push(`stop ${this.id}`);
      }
    }
    const platform = await start([moduleWith(Orders)]);
    await platform.host.reload();
    await until(() => calls.length === 3);
    await platform.stop();
    expect(calls).toEqual(['start 1', 'start 2', 'stop 1', 'stop 2']);
  });

  it('are reported with the service if they fail, and the service runs on', async () => {
    const platform = await start([
      moduleWith({
        fetchAll: () => [],
        onStart: () => {
          throw new Error('No paper.');
        },
      }),
    ]);
    try {
      expect(platform.log.lines[0]).toMatchObject({
        message: 'onStart of a resource failed.',
        details: { service: expect.stringContaining('Order of Shop-v1') as string },
      });
      expect((await platform.request('/orders')).status).toBe(200);
    } finally {
      await platform.stop();
    }
  });

  it('are not called by a build that is not activated', async () => {
    const calls: string[] = [];
    const platform = await start([
      moduleWith({
        fetchAll: () => [],
        onStart: () => void calls.push('start'),
        onStop: () => void calls.push('stop'),
      }),
    ]);
    await (await platform.host.build()).dispose();
    expect(calls).toEqual(['start']);
    await platform.stop();
  });
});
