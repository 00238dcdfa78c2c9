import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { CountBatch, parseEntries } from '../../../src/modules/cluster/counts/count-batch';
import { CountingNodes, LIMIT, type CountingNode } from '../../factories/processes/counting-node';
import { withPrograms } from '../../factories/processes/programs';
import { until } from '../../factories/until';

const redis = withPrograms('redis-server');

const nodes = new CountingNodes();

afterEach(() => nodes.close());

redis.describe('rate limits and failed sign-ins of nodes with one Redis', () => {
  const { it } = redis;

  it('are counted by all nodes, each use once', async () => {
    const server = await nodes.server();
    const [a, b, c] = [await nodes.start(server), await nodes.start(server), await nodes.start(server)];
    for (let time = 0; time < 10; time++) {
      a.use('=ada');
      b.use('=ada', 2);
      b.use('=bob');
      a.failures.add('192.0.2.7', 60);
      c.failures.add('192.0.2.7', 60);
      await delay(time % 3);
    }
    for (const node of [a, b, c]) {
      await until(() => node.used('=ada') >= 30 && node.failed('192.0.2.7') >= 20);
      await until(() => node.used('=bob') >= 10);
    }
    // Whatever would be counted twice has arrived by then.
    await delay(200);
    for (const node of [a, b, c])
      expect([node.used('=ada'), node.used('=bob'), node.failed('192.0.2.7')]).toEqual([30, 10, 20]);
  });

  it('are forgotten by all nodes after a successful sign-in, and counted again after it', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    a.failures.add('ada', 60);
    await until(() => b.failed('ada') === 1);
    b.failures.add('ada', 60);
    b.failures.forget('ada');
    b.failures.add('ada', 60);
    b.failures.add('ada', 60);
    await until(() => a.failed('ada') === 2);
    // One that starts learns no more than that.
    const late = await nodes.start(server);
    expect(late.failed('ada')).toBe(2);
  });

  it('are forgotten by a node that has counted none of them itself, whatever their window', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    const failed = (node: CountingNode): number => node.failures.of('ada', 600).count;
    a.failures.add('ada', 600);
    a.failures.add('ada', 600);
    await until(() => failed(b) === 2);
    b.failures.forget('ada');
    await until(() => failed(a) === 0);
    expect(failed(await nodes.start(server))).toBe(0);
    a.failures.add('ada', 600);
    await until(() => failed(b) === 1);
    const late = await nodes.start(server);
    late.failures.forget('ada');
    await until(() => failed(a) === 0);
    expect(failed(await nodes.start(server))).toBe(0);
  });

  it('are learned again if messages were missed while they were learned', async () => {
    const server = await nodes.server();
    const a = await nodes.start(server);
    a.use('=ada');
    await until(async () => Number(await server.command('ZCARD', 'test:counts')) === 1);
    const b = nodes.create(server);
    const { link, channel } = b.state;
    const command = link.command.bind(link);
    let read = (): void => undefined;
    const reading = new Promise<void>((resolve) => (read = resolve));
    const scan = jest.spyOn(link, 'command').mockImplementation(async (name, ...args) => {
      const reply = await command(name, ...args);
      if (name === 'HSCAN') await reading;
      return reply;
    });
    await until(() => scan.mock.calls.some(([name]) => name === 'HSCAN'));
    await server.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until(() => !channel.isConnected);
    // Published before the other node subscribes again.
    a.failures.add('ada', 60);
    await until(() => channel.isConnected);
    read();
    await until(() => b.failed('ada') === 1 && b.used('=ada') === 1);
  });

  it('are learned by a node that starts late, at their age', async () => {
    const server = await nodes.server();
    const a = await nodes.start(server);
    for (let client = 0; client < 1_200; client++) a.use(`=user${client}`, 3);
    a.failures.add('192.0.2.7\0realm\0=ada', 60);
    await until(async () => Number(await server.command('ZCARD', 'test:counts')) === 2);
    await delay(1_500);
    const late = await nodes.start(server);
    expect(Array.from({ length: 1_200 }, (_, at) => late.used(`=user${at}`))).toEqual(
      Array.from({ length: 1_200 }, () => 3),
    );
    const failures = late.failures.of('192.0.2.7\0realm\0=ada', 60);
    expect(failures.count).toBe(1);
    // Slots have a sixteenth of the window, by which they may expire late.
    const reset = late.limits.usageOf(LIMIT.name, LIMIT.window).quota('=user1', LIMIT.limit).reset;
    expect(reset).toBeLessThanOrEqual(61_000);
    // Nothing that was learned is reported again.
    await delay(200);
    expect(a.used('=user1')).toBe(3);
  });

  it('continue in each node while Redis is out of reach, and are shared again when it is back', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    a.use('=ada', 5);
    await until(() => b.used('=ada') === 5);
    await server.stop();
    await until(() => !a.state.isAvailable && !b.state.isAvailable);
    a.use('=ada', 3);
    a.failures.add('ada', 60);
    await delay(200);
    expect([a.used('=ada'), b.used('=ada')]).toEqual([8, 5]);
    await server.start();
    await until(() => a.state.isAvailable && b.state.isAvailable && b.state.channel.isConnected);
    b.use('=ada', 1);
    await until(() => a.used('=ada') === 9);
    // What was counted meanwhile stays where it was counted, and nothing counts twice.
    await delay(200);
    expect([a.used('=ada'), b.used('=ada')]).toEqual([9, 6]);
  });

  it('reach a node that has missed messages', async () => {
    const server = await nodes.server();
    const [a, b] = [await nodes.start(server), await nodes.start(server)];
    a.use('=ada', 5);
    await until(() => b.used('=ada') === 5);
    // While nobody is subscribed, a message is lost.
    await server.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
    a.use('=ada', 7);
    await until(() => b.used('=ada') === 12);
    expect(a.used('=ada')).toBe(12);
  });

  it('expire in Redis with their window', async () => {
    const server = await nodes.server();
    const a = await nodes.start(server);
    a.limits.usageOf('short', 1).add('=ada', 1);
    await until(async () => Number(await server.command('ZCARD', 'test:counts')) === 1);
    await until(async () => {
      const keys = (await server.command('KEYS', 'test:counts:*')) as readonly string[];
      return keys.length === 0;
    });
    a.use('=ada');
    await until(async () => {
      const logs = await server.command('ZRANGE', 'test:counts', '0', '-1');
      return JSON.stringify(logs) === JSON.stringify([`limit ${LIMIT.name} 60`]);
    });
  });

  it('are not disturbed by other messages', async () => {
    const server = await nodes.server();
    const a = await nodes.start(server);
    for (const text of [
      '',
      '{}',
      '[1]',
      '[["limit x",0,"c",1]]',
      '[["failures",60,"k",-1]]',
      '[["x",60,"k",1]]',
    ])
      await server.command('PUBLISH', 'test:messages', `other counts ${text}`);
    await server.command('PUBLISH', 'test:messages', `other counts [["limit ${LIMIT.name}",60,"=ada",4]]`);
    await until(() => a.used('=ada') === 4);
    expect(a.failed('k')).toBe(0);
    expect(a.limits.usage.size).toBe(1);
  });
});

redis.describe('exact counts of nodes with one Redis', () => {
  const { it } = redis;
  const use = { key: 'x', window: 60, limit: 50, weight: 1, isCounted: true };

  it('allow no more than the limit, however many nodes take at once', async () => {
    const server = await nodes.server();
    const all = [await nodes.start(server), await nodes.start(server)] as const;
    const results = await Promise.all(
      Array.from({ length: 200 }, (_, at) => (all[at % 2] ?? all[0]).state.exactCounts.take([use])),
    );
    const allowed = results.filter((result) => result?.[0]?.wait === 0);
    expect(allowed.length).toBe(50);
    expect(new Set(allowed.map((result) => result?.[0]?.remaining)).size).toBe(50);
    for (const result of results) expect(result?.[0]?.reset).toBeGreaterThan(0);
  });

  it('count nothing unless all limits allow the request, and only what is requested', async () => {
    const server = await nodes.server();
    const { state } = await nodes.start(server);
    const [full, other] = [
      { ...use, limit: 1 },
      { ...use, key: 'y', weight: 10 },
    ];
    expect((await state.exactCounts.take([full, other]))?.map(({ remaining }) => remaining)).toEqual([0, 40]);
    expect((await state.exactCounts.take([full, other]))?.map(({ remaining }) => remaining)).toEqual([0, 40]);
    const asked = await state.exactCounts.take([{ ...other, isCounted: false }]);
    expect(asked).toMatchObject([{ wait: 0, remaining: 40 }]);
    const tooMuch = await state.exactCounts.take([{ ...other, weight: 41 }]);
    expect(tooMuch?.[0]?.wait).toBeGreaterThan(0);
  });

  it('are available again when a window has passed', async () => {
    const server = await nodes.server();
    const { state } = await nodes.start(server);
    const short = { ...use, window: 1, limit: 1 };
    expect((await state.exactCounts.take([short]))?.[0]?.wait).toBe(0);
    const wait = (await state.exactCounts.take([short]))?.[0]?.wait ?? 0;
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(1_010);
    await until(async () => (await state.exactCounts.take([short]))?.[0]?.wait === 0);
  });

  it('let as many different passwords be verified as may fail, and equal ones together', async () => {
    const server = await nodes.server();
    const all = [await nodes.start(server), await nodes.start(server)];
    const attempt = (guess: string) => ({
      window: 60,
      failures: 10,
      perAddress: 1_000,
      address: '192.0.2.7',
      users: [{ key: 'ada', guess }],
    });
    const counts = (at: number) => {
      const node = all[at % 2];
      if (node === undefined) throw new Error('The node was not started.');
      return node.state.exactCounts;
    };
    const waits = await Promise.all(
      Array.from({ length: 40 }, (_, at) => counts(at).beginSignIn(attempt(`guess${at}`))),
    );
    expect(waits.filter((wait) => wait === 0)).toHaveLength(10);
    // All of them fail, on either node.
    for (const [at, wait] of waits.entries())
      if (wait === 0)
        void counts(at + 1).endSignIn(attempt(`guess${at}`), { isFailure: true, forgotten: [] });
    await until(async () => Number(await server.command('HGET', 'test:f:ada', 'failures')) === 10);
    expect(await counts(0).beginSignIn(attempt('right'))).toBeGreaterThan(0);
    expect(await server.command('GET', 'test:f:192.0.2.7')).toBe('10');
    await server.command('DEL', 'test:f:ada');
    const same = await Promise.all(
      Array.from({ length: 40 }, (_, at) => counts(at).beginSignIn(attempt('right'))),
    );
    expect(same.every((wait) => wait === 0)).toBe(true);
    for (const at of same.keys())
      void counts(at).endSignIn(attempt('right'), { isFailure: false, forgotten: ['ada'] });
    await until(async () => (await server.command('EXISTS', 'test:f:ada')) === 0);
  });

  it('wait no longer than the window after the clock of Redis was set back', async () => {
    const server = await nodes.server();
    const { state } = await nodes.start(server);
    const full = { ...use, limit: 3 };
    for (let at = 0; at < 3; at++) expect((await state.exactCounts.take([full]))?.[0]?.wait).toBe(0);
    // As if they had been used in an hour.
    const key = `test:l:${use.key}`;
    const slots = (await server.command('HGETALL', key)) as readonly string[];
    await server.command('DEL', key);
    for (let at = 0; at < slots.length; at += 2) {
      const later = Number(slots[at]) + (3_600 * 256) / use.window;
      await server.command('HSET', key, `${later}`, slots[at + 1] ?? '');
    }
    const [result] = (await state.exactCounts.take([full])) ?? [];
    expect(result?.remaining).toBe(0);
    expect(result?.wait).toBeGreaterThan(0);
    expect(result?.wait).toBeLessThan(use.window * 1_010);
    const signIn = {
      window: 60,
      failures: 1,
      perAddress: 1,
      address: '192.0.2.7',
      users: [{ key: 'ada', guess: '' }],
    };
    await state.exactCounts.endSignIn(signIn, { isFailure: true, forgotten: [] });
    for (const name of ['test:f:ada', 'test:f:192.0.2.7']) await server.command('PEXPIRE', name, '3600000');
    const wait = await state.exactCounts.beginSignIn(signIn);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60_000);
    for (const name of ['test:f:ada', 'test:f:192.0.2.7'])
      expect(await server.command('PTTL', name)).toBeLessThanOrEqual(60_000);
  });

  it('are unknown, without an error, while Redis is out of reach', async () => {
    const server = await nodes.server();
    const { state } = await nodes.start(server);
    await server.kill();
    expect(await state.exactCounts.take([use])).toBeUndefined();
    const signIn = { window: 60, failures: 1, perAddress: 1, address: 'a', users: [] };
    expect(await state.exactCounts.beginSignIn(signIn)).toBeUndefined();
    void state.exactCounts.endSignIn(signIn, { isFailure: true, forgotten: [] });
    expect(state.exactCounts.isAvailable).toBe(false);
  });
});

describe('a batch of counts', () => {
  it('has what was added since a client was forgotten, in parts that fit into a message', () => {
    const client = fc.constantFrom('a', 'b', 'c');
    const change = fc.oneof(
      fc.record({ client, amount: fc.integer({ min: 1, max: 9 }) }),
      fc.record({ client, amount: fc.constant(0) }),
    );
    fc.assert(
      fc.property(fc.array(change), (changes) => {
        const batch = new CountBatch();
        const [expected, actual] = [new Map([['a', 100]]), new Map([['a', 100]])];
        for (const { client: one, amount } of changes) {
          if (amount === 0) batch.forget('log', 60, one);
          else batch.add('log', 60, one, amount);
          expected.set(one, amount === 0 ? 0 : (expected.get(one) ?? 0) + amount);
        }
        for (const [, , one, amount] of batch.take().flat())
          actual.set(one, amount === 0 ? 0 : (actual.get(one) ?? 0) + amount);
        expect(actual).toEqual(expected);
        expect(batch.take()).toEqual([]);
      }),
    );
  });

  it('is bounded, and so are its parts', () => {
    const batch = new CountBatch();
    for (let at = 0; at < 20_000; at++) batch.add('log', 60, `${at}`.padStart(100), 1);
    const parts = batch.take();
    expect(parts.flat()).toHaveLength(10_000);
    for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(100_000);
  });

  it('is parsed from nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        const entries = parseEntries(text);
        if (entries !== undefined) for (const entry of entries) expect(entry).toHaveLength(4);
      }),
    );
    expect(parseEntries('[["log",60,"client",1]]')).toEqual([['log', 60, 'client', 1]]);
  });
});
