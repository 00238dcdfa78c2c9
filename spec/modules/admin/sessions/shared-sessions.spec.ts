import { randomBytes } from 'node:crypto';
import { Deployment, DeploymentKeys } from '../../../../src/framework';
import { OUTAGE_MS, SharedSessions } from '../../../../src/modules/admin/sessions/shared-sessions';
import type { SessionLimits } from '../../../../src/modules/admin/sessions/session-store';
import { RedisState } from '../../../../src/modules/cluster/redis/redis-state';
import { MemoryLog } from '../../../../src/testing';
import { withPrograms } from '../../../factories/processes/programs';
import { RedisServer } from '../../../factories/processes/redis';
import { until } from '../../../factories/until';

const { describe, it } = withPrograms('redis-server');

const LIMITS: SessionLimits = { idle: 600, absolute: 3_600 };
const secret = randomBytes(32);
const stops: (() => unknown)[] = [];
let server: RedisServer;

/** The sessions of a node, whose clock may be ahead. */
class Node {
  readonly redis: RedisState;
  readonly sessions: SharedSessions;
  ahead = 0;

  constructor(keys = new DeploymentKeys([secret])) {
    this.redis = new RedisState({ url: server.url, prefix: 'test', keys, log: new MemoryLog() });
    const state = {
      counterFor: () => ({ claim: () => 'stale' as const }),
      now: () => this.redis.now() + this.ahead,
      generation: '',
    };
    Object.defineProperty(state, 'generation', { get: () => this.redis.generation });
    this.sessions = new SharedSessions(new Deployment(state, keys), this.redis.documents, new MemoryLog());
    stops.push(() => this.redis.close());
  }

  static async start(keys?: DeploymentKeys): Promise<Node> {
    const node = new Node(keys);
    expect(await node.redis.connected(10_000)).toBeUndefined();
    return node;
  }

  async userOf(token: string, limits = LIMITS): Promise<string | undefined> {
    return (await this.sessions.find(token, limits))?.user;
  }
}

beforeEach(async () => {
  server = await RedisServer.start();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) stop();
  await server.close();
});

describe('sessions of administrators over Redis', () => {
  it('are found by every node, with the same CSRF token, and ended by every node', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    const { token, session } = await a.sessions.start('ada', 'hash', LIMITS);
    const found = await b.sessions.find(token, LIMITS);
    expect(found).toEqual(session);
    await b.sessions.end(session);
    expect(await a.userOf(token)).toBeUndefined();
    expect(await a.sessions.expired(token, LIMITS)).toBeUndefined();
    expect(await server.command('KEYS', 'test:*:d:*')).toEqual([]);
  });

  it('reveal neither the token nor the password hash to readers of Redis', async () => {
    const a = await Node.start();
    const { token, session } = await a.sessions.start('ada', '$2y$04$stored', LIMITS);
    a.sessions.addMessage(session, { text: 'Saved by Ada.' });
    await until(async () => ((await server.command('KEYS', '*messages*')) as unknown[]).length === 1);
    const keys = (await server.command('KEYS', '*')) as readonly string[];
    const texts = await Promise.all(
      keys.filter((key) => key.includes(':d:')).map((key) => server.command('GET', key)),
    );
    const all = JSON.stringify([keys, texts]);
    for (const secretText of [token, '$2y$04$stored', session.csrf, 'Saved by Ada.'])
      expect(all).not.toContain(secretText);
  });

  it('that were written or moved by someone without the key are not accepted', async () => {
    const a = await Node.start();
    const [one, two] = [
      await a.sessions.start('ada', 'hash', LIMITS),
      await a.sessions.start('bob', 'hash', LIMITS),
    ];
    const keyOf = async (id: string): Promise<string> =>
      ((await server.command('KEYS', `*session:${id}`)) as readonly string[])[0] ?? '';
    const [first, second] = [await keyOf(one.session.id), await keyOf(two.session.id)];
    await server.command('COPY', first, second, 'REPLACE');
    expect(await a.userOf(two.token)).toBeUndefined();
    for (const text of ['', 'x', '{}', 'A'.repeat(200)]) {
      await server.command('SET', first, text);
      expect(await a.userOf(one.token)).toBeUndefined();
    }
  });

  it('end with the idle timeout, which requests extend, and with their lifetime', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    const { token } = await a.sessions.start('ada', 'hash', LIMITS);
    b.ahead = 500_000;
    expect(await b.userOf(token)).toBe('ada');
    a.ahead = 1_000_000;
    expect(await a.userOf(token)).toBe('ada');
    b.ahead = 1_599_000;
    expect((await b.sessions.find(token, LIMITS, true))?.user).toBe('ada');
    b.ahead = 1_601_000;
    expect(await b.userOf(token)).toBeUndefined();
    // Another node keeps what was submitted with it.
    expect((await a.sessions.expired(token, LIMITS))?.user).toBeUndefined();
    a.ahead = b.ahead;
    expect((await a.sessions.expired(token, LIMITS))?.user).toBe('ada');

    const other = await a.sessions.start('ada', 'hash', LIMITS);
    for (let at = 0; at < 7; at++) {
      a.ahead += 500_000;
      expect(await a.userOf(other.token)).toBe('ada');
    }
    a.ahead += 101_000;
    expect(await a.userOf(other.token)).toBeUndefined();
  });

  it('are removed by Redis after their time', async () => {
    const a = await Node.start();
    const { session } = await a.sessions.start('ada', 'hash', LIMITS);
    const [key = ''] = (await server.command('KEYS', `*session:${session.id}`)) as readonly string[];
    const left = Number(await server.command('PTTL', key));
    expect(left).toBeGreaterThan(600_000);
    expect(left).toBeLessThanOrEqual(600_000 + 30 * 60_000);
  });

  it('end everywhere when the epoch of the administrator is raised, but for those of others and later ones', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    const [ada, bob] = [
      await a.sessions.start('ada', 'hash', LIMITS),
      await a.sessions.start('bob', 'hash', LIMITS),
    ];
    expect(await b.userOf(ada.token)).toBe('ada');
    await a.sessions.endAll('ada');
    expect(await b.userOf(ada.token)).toBeUndefined();
    expect(await b.userOf(bob.token)).toBe('bob');
    const next = await a.sessions.start('ada', 'new hash', LIMITS);
    expect(await b.userOf(next.token)).toBe('ada');
  });

  it('that end while a request is noted do not come back', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    for (let round = 0; round < 50; round++) {
      const { token, session } = await a.sessions.start('ada', 'hash', LIMITS);
      b.ahead = 5_000;
      await Promise.all([b.userOf(token), b.userOf(token), a.sessions.end(session), b.userOf(token)]);
      expect(await b.userOf(token)).toBeUndefined();
    }
  });

  it('have messages that the next page shows once, on any node', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    const { token, session } = await a.sessions.start('ada', 'hash', LIMITS);
    a.sessions.addMessage(session, { text: 'one' });
    a.sessions.addMessage(session, { text: 'two', undo: 7 });
    let found = await b.sessions.find(token, LIMITS);
    while (found === undefined || b.sessions.takeMessages(found).length === 0)
      found = await b.sessions.find(token, LIMITS);
    const again = await a.sessions.find(token, LIMITS);
    expect(again === undefined ? undefined : a.sessions.takeMessages(again)).toEqual([]);
  });

  it('of the previous deployment key are accepted, and those of another one are not', async () => {
    const a = await Node.start();
    const { token } = await a.sessions.start('ada', 'hash', LIMITS);
    const b = await Node.start(new DeploymentKeys([randomBytes(32), secret]));
    expect(await b.userOf(token)).toBe('ada');
  });
});

describe('sessions of administrators while Redis is out of reach', () => {
  it('continue for five minutes where they are known, and end there at once', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    const [one, two] = [
      await a.sessions.start('ada', 'hash', LIMITS),
      await a.sessions.start('ada', 'hash', LIMITS),
    ];
    expect(await b.userOf(one.token)).toBe('ada');
    await server.stop();
    expect(await b.userOf(one.token)).toBe('ada');
    // It was never seen there.
    expect(await b.userOf(two.token)).toBeUndefined();
    b.ahead = OUTAGE_MS - 10_000;
    expect(await b.userOf(one.token)).toBe('ada');
    b.ahead = OUTAGE_MS + 10_000;
    expect(await b.userOf(one.token)).toBeUndefined();
    await a.sessions.end(one.session);
    expect(await a.userOf(one.token)).toBeUndefined();
    expect(await a.userOf(two.token)).toBe('ada');
  });

  it('end when Redis has restarted: what was ended before might be back', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    const { token } = await a.sessions.start('ada', 'hash', LIMITS);
    await server.stop();
    await server.start();
    await until(() => a.redis.isAvailable && b.redis.isAvailable);
    expect(await b.userOf(token)).toBeUndefined();
    expect(await a.userOf(token)).toBeUndefined();
    // Where it was known, a form that was submitted with it is kept.
    expect((await a.sessions.expired(token, LIMITS))?.user).toBe('ada');
  });

  it('that are ended meanwhile end everywhere when it responds again', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    const [one, two, three] = [
      await a.sessions.start('ada', 'hash', LIMITS),
      await a.sessions.start('bob', 'hash', LIMITS),
      await a.sessions.start('cem', 'hash', LIMITS),
    ];
    for (const { token } of [one, two, three]) expect(await b.userOf(token)).toBeDefined();
    server.pause();
    await Promise.all([a.sessions.end(one.session), a.sessions.endAll('bob')]);
    expect(await a.userOf(one.token)).toBeUndefined();
    expect(await a.userOf(two.token)).toBeUndefined();
    server.resume();
    await until(async () => (await b.userOf(one.token)) === undefined);
    await until(async () => (await b.userOf(two.token)) === undefined);
    await until(() => b.redis.isAvailable);
    expect(await b.userOf(three.token)).toBe('cem');
  });

  it('start on one node alone', async () => {
    const [a, b] = [await Node.start(), await Node.start()];
    await server.kill();
    const { token } = await a.sessions.start('ada', 'hash', LIMITS);
    expect(await a.userOf(token)).toBe('ada');
    expect(await b.userOf(token)).toBeUndefined();
  });
});
