import { rmSync } from 'node:fs';
import { ApplicationHost, Deployment, type Application } from '../../../src/framework';
import { builtInModules } from '../../../src/modules';
import { makeProject, MemoryLog } from '../../factories/platform';
import { withPrograms } from '../../factories/processes/programs';
import { RedisServer } from '../../factories/processes/redis';

const { describe, it } = withPrograms('redis-server');

describe('the Redis connection of a process', () => {
  let server: RedisServer;
  let root: string;
  let host: ApplicationHost;
  let isBroken = false;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.close());
  beforeEach(() => {
    root = makeProject({
      modules: ['cluster', 'hosting'],
      local: { 'platform-cluster': { redis: { url: server.url }, deployment_key: 'k'.repeat(32) } },
    });
    const strict = {
      name: 'strict',
      onBootstrap: () => {
        if (isBroken) throw new Error('not here');
      },
    };
    host = new ApplicationHost({
      root,
      builtIn: builtInModules,
      modules: [strict],
      environment: {},
      log: new MemoryLog(),
    });
  });
  afterEach(async () => {
    await host.close();
    rmSync(root, { recursive: true, force: true });
  });

  async function fail(): Promise<void> {
    isBroken = true;
    await expect(host.build()).rejects.toThrow('not here');
    isBroken = false;
  }

  function expectRedis({ warnings, dependencies, sharedState }: Application): void {
    expect(warnings).toEqual([]);
    expect(dependencies.map(({ name, isAvailable }) => [name, isAvailable()])).toEqual([['redis', true]]);
    expect(sharedState.find(Deployment)?.store).toBeDefined();
  }

  it('is made again for the next application, if the first one cannot be built', async () => {
    await fail();
    const next = await host.build();
    host.activate(next);
    expectRedis(next);
  });

  it('is kept when a later application cannot be built', async () => {
    host.activate(await host.build());
    await fail();
    expectRedis(host.current);
  });
});
