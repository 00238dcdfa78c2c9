import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { CountingNodes, type CountingNode } from '../../factories/processes/counting-node';
import { withPrograms } from '../../factories/processes/programs';
import { until } from '../../factories/until';

const redis = withPrograms('redis-server');

const nodes = new CountingNodes();

afterEach(() => nodes.close());

/** Has a node wait before it sends what it has counted. */
function delayReports({ state: { link } }: CountingNode, wait: () => Promise<unknown>): jest.SpyInstance {
  const run = link.run.bind(link);
  return jest.spyOn(link, 'run').mockImplementation(async (...args) => {
    await wait();
    return await run(...args);
  });
}

/** Keeps back what a node sends from now on. */
function holdReports(node: CountingNode): { readonly begun: Promise<void>; readonly release: () => void } {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const reports = delayReports(node, () => released);
  return { begun: until(() => reports.mock.calls.length > 0), release };
}

/** Calls a function when a node sends what it has collected: what others collect from then on, they send later. */
function afterCollecting(node: CountingNode, act: () => void): void {
  delayReports(node, () => {
    act();
    return Promise.resolve();
  });
}

redis.describe('failed sign-ins of nodes with one Redis', () => {
  const { it } = redis;

  it('are the same everywhere if others fail before they learn of a successful sign-in', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    a.failures.add('ada', 60);
    await until(() => b.failed('ada') === 1);
    afterCollecting(a, () => {
      for (let time = 0; time < 3; time++) b.failures.add('ada', 60);
    });
    a.failures.forget('ada');
    await until(() => a.failed('ada') === 3);
    await delay(200);
    expect([a.failed('ada'), b.failed('ada')]).toEqual([3, 3]);
    expect((await nodes.start(server)).failed('ada')).toBe(3);
  });

  it('are forgotten everywhere if they were reported before a successful sign-in', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    b.failures.add('ada', 60);
    await until(() => a.failed('ada') === 1);
    afterCollecting(a, () => b.failures.forget('ada'));
    for (let time = 0; time < 3; time++) a.failures.add('ada', 60);
    await until(() => a.failed('ada') === 0);
    await delay(200);
    expect([a.failed('ada'), b.failed('ada')]).toEqual([0, 0]);
    expect((await nodes.start(server)).failed('ada')).toBe(0);
  });

  it('are the same everywhere if those of a node were sent before a sign-in, and published after it', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    a.failures.add('ada', 60);
    await until(() => b.failed('ada') === 1);
    const { begun, release } = holdReports(b);
    for (let time = 0; time < 3; time++) b.failures.add('ada', 60);
    await begun;
    a.failures.forget('ada');
    await until(() => b.failed('ada') !== 4);
    release();
    await until(() => a.failed('ada') === 3);
    expect(b.failed('ada')).toBe(3);
    // Not any more once they are published.
    a.failures.forget('ada');
    await until(() => b.failed('ada') === 0);
  });

  it('are forgotten everywhere if they were published before a sign-in that was sent before', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    b.failures.add('ada', 60);
    await until(() => a.failed('ada') === 1);
    const { begun, release } = holdReports(b);
    b.failures.forget('ada');
    await begun;
    const received = new Promise<void>((resolve) => {
      b.state.channel.subscribe('counts', { message: () => resolve() });
    });
    for (let time = 0; time < 3; time++) a.failures.add('ada', 60);
    await received;
    release();
    await until(() => a.failed('ada') === 0);
    expect(b.failed('ada')).toBe(0);
    a.failures.add('ada', 60);
    await until(() => b.failed('ada') === 1);
  });

  it('are not counted again by a later sign-in if Redis did not receive them', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    const reports = jest.spyOn(b.state.link, 'run').mockRejectedValueOnce(new Error('not received'));
    b.failures.add('ada', 60);
    await until(() => reports.mock.calls.length === 1);
    a.failures.add('ada', 60);
    a.failures.forget('ada');
    await until(() => b.failed('ada') === 0);
  });

  it('are forgotten by a node that learns them from the log during the sign-in', async () => {
    const server = await nodes.server();
    const a = await nodes.start(server);
    a.failures.add('ada', 60);
    a.failures.add('bob', 60);
    await until(async () => Number(await server.command('ZCARD', 'test:counts')) === 1);
    const b = nodes.create(server);
    const { link, channel } = b.state;
    const command = link.command.bind(link);
    const forgotten = new Promise<void>((resolve) => {
      channel.subscribe('counts', { message: () => resolve() });
    });
    jest.spyOn(link, 'command').mockImplementation(async (name, ...args) => {
      const reply = await command(name, ...args);
      if (name === 'HSCAN') {
        a.failures.forget('ada');
        await forgotten;
      }
      return reply;
    });
    await b.shared.learned(10_000);
    expect([b.failed('ada'), b.failed('bob')]).toEqual([0, 1]);
  });

  it('are collected for as long as usual after a report that took long', async () => {
    const node = await nodes.start(await nodes.server());
    let wait = 1_000;
    const reports = delayReports(node, () => delay(wait));
    const failFor = async (duration: number): Promise<number> => {
      const begin = performance.now();
      while (performance.now() < begin + duration) {
        node.failures.add('ada', 60);
        await delay(1);
      }
      return performance.now() - begin;
    };
    await failFor(900);
    wait = 0;
    reports.mockClear();
    const duration = await failFor(700);
    // One may wait for the one that takes long, and one more begin at the end.
    expect(reports.mock.calls.length).toBeLessThanOrEqual(duration / 50 + 2);
  });

  it('are the same on all nodes in the end, whatever the order of failures, sign-ins and reports', async () => {
    const server = await nodes.server();
    const all = [await nodes.start(server), await nodes.start(server), await nodes.start(server)];
    const change = fc.record({
      node: fc.nat({ max: 2 }),
      client: fc.nat({ max: 9 }).map(String),
      isFailure: fc.boolean(),
      pause: fc.constantFrom(0, 0, 0, 5, 20),
    });
    // Both shorter and longer than changes are collected.
    const latency = fc.integer({ min: 0, max: 80 });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { minLength: 30, maxLength: 60 }),
        fc.array(latency, { minLength: 6, maxLength: 6 }),
        async (changes, latencies) => {
          run++;
          let sent = 0;
          const spies = all.map((node) =>
            delayReports(node, () => delay(latencies[sent++ % latencies.length])),
          );
          for (const { node, client, isFailure, pause } of changes) {
            if (isFailure) all[node]?.failures.add(client, 60);
            else all[node]?.failures.forget(client);
            if (pause > 0) await delay(pause);
          }
          // Reported last.
          const ends = all.map((node, at) => {
            node.failures.add(`end ${run}.${at}`, 60);
            return `end ${run}.${at}`;
          });
          await until(() => all.every((node) => ends.every((end) => node.failed(end) === 1)));
          for (const spy of spies) spy.mockRestore();
          const late = await nodes.start(server);
          const clients = Array.from({ length: 10 }, (_, at) => String(at));
          const counts = [...all, late].map((node) => clients.map((client) => node.failed(client)));
          late.close();
          expect(counts.slice(0, 3)).toEqual([counts[3], counts[3], counts[3]]);
        },
      ),
      { numRuns: 10, endOnFailure: true },
    );
  });
});
