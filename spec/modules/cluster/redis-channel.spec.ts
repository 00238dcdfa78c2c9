import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DeploymentKeys } from '../../../src/framework';
import { MAX_MESSAGE, type RedisChannel } from '../../../src/modules/cluster/redis/channel';
import { COMMAND_TIMEOUT } from '../../../src/modules/cluster/redis/redis-link';
import { RedisState } from '../../../src/modules/cluster/redis/redis-state';
import { RedisStore } from '../../../src/modules/cluster/store/redis/redis-store';
import { MemoryLog } from '../../../src/testing';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';
import { SlowConnection } from '../../factories/processes/slow-connection';
import { until } from '../../factories/until';

const { describe, it } = withPrograms('redis-server');

const secret = randomBytes(32);
const servers: RedisServer[] = [];
const states: RedisState[] = [];

async function start(args: readonly string[] = []): Promise<RedisServer> {
  const server = await RedisServer.start(args);
  servers.push(server);
  return server;
}

/** The channel of a node, connected. */
async function join(url: string, log = new MemoryLog(), prefix = 'test'): Promise<RedisChannel> {
  const state = new RedisState({ url, prefix, keys: new DeploymentKeys([secret]), log });
  states.push(state);
  expect(await state.connected(10_000)).toBeUndefined();
  state.channel.subscribe('unused', { message: () => undefined });
  await until(() => state.channel.isConnected);
  return state.channel;
}

/** Subscribes, and records the calls of the listener. */
function record(channel: RedisChannel, topic = 'topic'): { readonly received: string[]; stop(): void } {
  const received: string[] = [];
  const stop = channel.subscribe(topic, {
    message: (text, isOwn) => received.push(isOwn ? `own ${text}` : text),
    missed: () => received.push('missed'),
  });
  return { received, stop };
}

afterEach(async () => {
  for (const state of states.splice(0)) state.close();
  for (const server of servers.splice(0)) await server.close();
});

describe('messages between nodes over Redis', () => {
  it('reach the subscribers of their topic on every node, in order, and are recognised by their sender', async () => {
    const { url } = await start();
    const [a, b] = [await join(url), await join(url)];
    const [onA, onB, other] = [record(a), record(b), record(b, 'other')];
    const texts = ['one', '', 'two\nlines and spaces', '{"three":"ü"}'];
    for (const text of texts) expect(await a.publish('topic', text)).toBe(true);
    await until(() => onB.received.length === 4 && onA.received.length === 4);
    expect(onB.received).toEqual(texts);
    expect(onA.received).toEqual(texts.map((text) => `own ${text}`));
    expect(other.received).toEqual([]);
  });

  it('warn once while a permission is missing, and are received when it is granted', async () => {
    const server = await start(['--user', ...'node on >pass ~* &* +@all -subscribe'.split(' ')]);
    const url = server.url.replace('//', '//node:pass@');
    const log = new MemoryLog();
    const state = new RedisState({ url, prefix: 'test', keys: new DeploymentKeys([secret]), log });
    states.push(state);
    const { received } = record(state.channel);
    const warnings = (): number =>
      log.lines.filter(({ message }) => message.startsWith('Cannot subscribe')).length;
    await until(() => warnings() > 0);
    // It is tried several times a second.
    await delay(1_000);
    expect(warnings()).toBe(1);
    await server.command('ACL', 'SETUSER', 'node', '+subscribe');
    await until(() => received.includes('missed'));
  });

  it('stay within a prefix, and end with the subscription', async () => {
    const { url } = await start();
    const [a, b, stranger] = [await join(url), await join(url), await join(url, undefined, 'another')];
    const [stopped, kept, elsewhere] = [record(b), record(b), record(stranger)];
    stopped.stop();
    await a.publish('topic', 'hello');
    await until(() => kept.received.length === 1);
    expect([stopped.received, elsewhere.received]).toEqual([[], []]);
  });

  it('have a limit, and invalid messages in the channel have no effect', async () => {
    const server = await start();
    const channel = await join(server.url);
    const { received } = record(channel);
    await expect(channel.publish('topic', 'ü'.repeat(MAX_MESSAGE / 2 + 1))).rejects.toThrow(RangeError);
    for (const text of ['', ' ', 'x', 'x topic', '\0'.repeat(100)])
      await server.command('PUBLISH', 'test:messages', text);
    const largest = 'ü'.repeat(MAX_MESSAGE / 2);
    expect(await channel.publish('topic', largest)).toBe(true);
    await until(() => received.length > 0);
    expect(received).toEqual([`own ${largest}`]);
  });

  it('reach the other subscribers when one throws', async () => {
    const { url } = await start();
    const log = new MemoryLog();
    const channel = await join(url, log);
    channel.subscribe('topic', {
      message: () => {
        throw new Error('broken listener');
      },
    });
    const { received } = record(channel);
    await channel.publish('topic', 'hello');
    await until(() => received.length === 1);
    expect(JSON.stringify(log.lines)).toContain('A message from another node could not be handled.');
  });

  it('are announced as missed when the subscription begins, and whenever it was interrupted', async () => {
    const server = await start();
    const [a, b] = [await join(server.url), await join(server.url)];
    const { received } = record(b);
    await server.kill();
    await until(() => !a.isConnected && !b.isConnected);
    expect(await a.publish('topic', 'lost')).toBe(false);
    await server.start();
    await until(() => received.length > 0);
    expect(received).toEqual(['missed']);
    await until(async () => await a.publish('topic', 'after'));
    await until(() => received.length > 1);
    expect(received).toEqual(['missed', 'after']);

    // Only the connection that subscribes is gone.
    await server.command('CLIENT', 'KILL', 'TYPE', 'pubsub');
    await until(() => received.length > 2);
    expect(received).toEqual(['missed', 'after', 'missed']);
    await until(async () => await a.publish('topic', 'again'));
    await until(() => received.length > 3);
    expect(received[3]).toBe('again');
  });

  it('are announced as missed when a server that did not respond is reached again', async () => {
    const server = await start();
    const [a, b] = [await join(server.url), await join(server.url)];
    const { received } = record(b);
    server.pause();
    await until(() => !b.isConnected);
    expect(await a.publish('topic', 'lost')).toBe(false);
    server.resume();
    await until(() => received.includes('missed'));
    await until(async () => await a.publish('topic', 'after'));
    await until(() => received.includes('after'));
  });

  it('arrive also while replies are so late that Redis counts as unreachable', async () => {
    const server = await start();
    const slow = await SlowConnection.open(server.port, 3 * COMMAND_TIMEOUT);
    const url = `redis://127.0.0.1:${slow.port}`;
    const log = new MemoryLog();
    const state = new RedisState({ url, prefix: 'slow', keys: new DeploymentKeys([secret]), log });
    states.push(state);
    const store = new RedisStore({ url, prefix: 'slow' });
    try {
      const { received } = record(state.channel, 'configuration');
      await until(() => received.includes('missed'));
      store.useHints({
        name: state.channel.name,
        message: state.channel.envelope('configuration', ''),
        subscribe: () => () => undefined,
      });
      await store.withdraw('a proposal');
      await until(() => received.includes('own '));
      expect(received).toEqual(['missed', 'own ']);
      expect(state.isAvailable).toBe(false);
    } finally {
      await store.close();
      slow.close();
    }
  });

  it('arrive when the server appears after the node', async () => {
    const server = await start();
    await server.kill();
    const state = new RedisState({
      url: server.url,
      prefix: 'test',
      keys: new DeploymentKeys([secret]),
      log: new MemoryLog(),
    });
    states.push(state);
    const { received } = record(state.channel);
    await server.start();
    await until(() => received.length > 0);
    await until(async () => await state.channel.publish('topic', 'hello'));
    await until(() => received.length > 1);
    expect(received).toEqual(['missed', 'own hello']);
  });

  it('require no more than the permissions of the channel', async () => {
    const server = await start();
    await server.command('ACL', 'SETUSER', 'node', 'on', '>pass', '~test:*', '&test:messages', '+@all');
    const channel = await join(`redis://node:pass@127.0.0.1:${server.port}`);
    const { received } = record(channel);
    await channel.publish('topic', 'hello');
    await until(() => received.length === 1);
  });
});
