import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ConfigurationError, type ConfigObject } from '../../../src/framework';
import { readSecrets } from '../../../src/modules/cluster/deployment-secrets';
import { makeProject, ROOT, startTestPlatform } from '../../factories/platform';
import { run } from '../../factories/processes/processes';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';

const programs = withPrograms('redis-server');

const KEY = 'k'.repeat(32);
/** The permissions that the guide on scaling lists. */
const GUIDED =
  /A user of the server with limited[^]*?\n- /
    .exec(readFileSync(path.join(ROOT, 'docs/guides/scaling.md'), 'utf8'))?.[0]
    .match(/(?<=[` ])[~&+-][@<a-z][^` ,]*/g)
    ?.map((one) => one.replace('<prefix>', 'apidesc-platform')) ?? [];
const NOWHERE = { url: 'redis://127.0.0.1:1' };

async function refusalOf(cluster: ConfigObject): Promise<string> {
  const start = startTestPlatform({
    modules: ['cluster', 'hosting'],
    local: { 'platform-cluster': cluster },
  });
  const outcome: unknown = await start.catch((error: unknown) => error);
  if (outcome instanceof ConfigurationError) return outcome.message;
  throw new Error(`No ConfigurationError, but ${String(outcome)}.`);
}

describe('the configuration of a cluster', () => {
  it('needs a deployment key with Redis', async () => {
    expect(await refusalOf({ redis: NOWHERE })).toMatch(
      /local\.json:\d+:\d+: platform-cluster\.redis\.url needs platform-cluster\.deployment_key, .*openssl rand -base64 32$/,
    );
  });

  it('refuses a key that can be guessed, without showing it', async () => {
    const message = await refusalOf({ redis: NOWHERE, deployment_key: 'secret' });
    expect(message).toMatch(
      /platform-cluster\.deployment_key: the key has 6 characters; it must have at least 32\./,
    );
    expect(message).not.toContain('"secret"');
  });

  it('needs the URL of a configuration store', async () => {
    expect(await refusalOf({ store: 'postgres' })).toMatch(
      /local\.json:\d+:\d+: platform-cluster\.store "postgres" needs platform-cluster\.postgres\.url, such as "postgres:/,
    );
    expect(await refusalOf({ store: 'redis' })).toContain('needs platform-cluster.redis.url');
    const message = await refusalOf({ store: 'postgres', postgres: { url: 'mysql://user:hidden@host/x' } });
    expect(message).toContain('platform-cluster.postgres.url is not the URL of a PostgreSQL server.');
    expect(message).not.toContain('hidden');
    expect(await refusalOf({ store: 'mysql' })).toContain('"file"');
  });

  it('starts no node whose store is out of reach, unless it has served a revision', async () => {
    const store = { store: 'postgres', postgres: { url: 'postgres://user:hidden@127.0.0.1:1/x' } };
    const message = await refusalOf(store);
    expect(message).toMatch(
      /^The configuration store cannot be reached, and this node has no revision of its own yet: .*ECONNREFUSED/,
    );
    expect(message).not.toContain('hidden');
  });

  it('refuses a URL of another kind, without showing it', async () => {
    const message = await refusalOf({ redis: { url: 'http://user:hidden@host' }, deployment_key: KEY });
    expect(message).toContain('Write redis://host:6379');
    expect(message).not.toContain('hidden');
  });

  it('warns about a key that nothing uses', async () => {
    const platform = await startTestPlatform({
      modules: ['cluster', 'hosting'],
      local: { 'platform-cluster': { deployment_key: KEY } },
    });
    expect(platform.application.warnings).toEqual([
      expect.stringContaining(
        'platform-cluster.deployment_key has no effect without platform-cluster.redis.url',
      ),
    ]);
    await platform.stop();
  });

  it('reads keys from files, relative to the project', () => {
    const root = makeProject({
      files: { 'secrets/new': `${'n'.repeat(40)}\n`, 'secrets/old': 'o'.repeat(40) },
    });
    const read = (setting: string | readonly string[]): readonly Buffer[] =>
      readSecrets(setting, root, 'here');
    expect(read('file:secrets/new')).toEqual(read('n'.repeat(40)));
    expect(read([`file:${root}/secrets/new`, 'file:secrets/old'])).toEqual(
      read(['n'.repeat(40), 'o'.repeat(40)]),
    );
    expect(() => read(['n'.repeat(40), 'file:secrets/none'])).toThrow(
      /^here\[1\]: the file of the key cannot be read: .*ENOENT/,
    );
    writeFileSync(path.join(root, 'secrets/new'), 'short');
    expect(() => read('file:secrets/new')).toThrow(`here: the key in ${root}/secrets/new has 5 characters`);
  });

  it('names the command that installs the driver', async () => {
    const file = path.join(ROOT, 'dist/modules/cluster/redis/redis-driver.js');
    const code = `
      require('reflect-metadata');
      const Module = require('node:module');
      const resolve = Module._resolveFilename;
      Module._resolveFilename = (name, ...others) => {
        if (name === 'ioredis') throw Object.assign(new Error('Cannot find module'), { code: 'MODULE_NOT_FOUND' });
        return resolve(name, ...others);
      };
      try { require(${JSON.stringify(file)}).redisClient('redis://127.0.0.1:1', 'test'); } catch (error) { console.log(error.name + ': ' + error.message); }`;
    expect((await run(process.execPath, ['-e', code])).output.trim()).toBe(
      'ConfigurationError: platform-cluster.redis.url requires the package ioredis. Install it: npm install ioredis',
    );
  });
});

programs.describe('a Redis that cannot be used', () => {
  let server: RedisServer;
  afterEach(() => server.close());

  programs.it('is refused if it refuses the password', async () => {
    server = await RedisServer.start(['--requirepass', 'right']);
    const url = server.url.replace('//', '//:wrong@');
    for (const redis of [{ url }, { url: server.url }])
      expect(await refusalOf({ redis, deployment_key: KEY })).toMatch(
        /^platform-cluster\.redis\.url: the server refuses the user or the password: (WRONGPASS|NOAUTH)/,
      );
  });

  programs.it('is refused if the user lacks a permission', async () => {
    server = await RedisServer.start(['--user', ...'node on >pass ~* &* +@connection'.split(' ')]);
    const url = server.url.replace('//', '//node:pass@');
    expect(await refusalOf({ redis: { url }, deployment_key: KEY })).toMatch(
      /^platform-cluster\.redis\.url: the user lacks one of the permissions that the guide on scaling lists: NOPERM/,
    );
  });

  programs.it('is refused if the user lacks a permission that only scripts need', async () => {
    server = await RedisServer.start();
    const url = server.url.replace('//', '//node:pass@');
    for (const lacked of [
      '-@bitmap',
      '-@sortedset',
      '-@keyspace',
      '-@hash',
      '-@string',
      '-setbit',
      '-zadd',
      '-del',
      '-publish',
      'resetchannels',
    ]) {
      await server.command('ACL', 'SETUSER', 'node', 'reset', 'on', '>pass', ...GUIDED, lacked);
      expect([lacked, await refusalOf({ redis: { url }, deployment_key: KEY })]).toEqual([
        lacked,
        expect.stringMatching(/^platform-cluster\.redis\.url: the user lacks one of the permissions /),
      ]);
    }
  });

  programs.it('needs the permissions in the guide, which do not include dangerous commands', async () => {
    server = await RedisServer.start(['--user', 'node', 'on', '>pass', ...GUIDED]);
    const redis = { url: server.url.replace('//', '//node:pass@') };
    const platform = await startTestPlatform({
      modules: ['cluster', 'hosting'],
      local: { 'platform-cluster': { redis, deployment_key: KEY } },
    });
    await platform.stop();
    for (const command of [
      ['FLUSHALL'],
      ['FLUSHDB'],
      ['KEYS', 'apidesc-platform:*'],
      ['CONFIG', 'GET', '*'],
      ['SAVE'],
    ])
      expect(await server.command('ACL', 'DRYRUN', 'node', ...command)).toContain('no permissions');
  });

  programs.it('is refused if it is one of several that have different keys', async () => {
    server = await RedisServer.start(['--cluster-enabled', 'yes']);
    expect(await refusalOf({ redis: { url: server.url }, deployment_key: KEY })).toContain(
      'a node of a Redis Cluster, which is not supported',
    );
  });

  programs.it('causes a warning if it may remove keys', async () => {
    server = await RedisServer.start(['--maxmemory-policy', 'allkeys-lru']);
    const platform = await startTestPlatform({
      modules: ['cluster', 'hosting'],
      local: { 'platform-cluster': { redis: { url: server.url }, deployment_key: KEY } },
    });
    expect(platform.application.warnings).toEqual([
      expect.stringMatching(/^The maxmemory-policy of Redis is allkeys-lru: .* Set it to noeviction\.$/),
    ]);
    await platform.stop();
  });
});
