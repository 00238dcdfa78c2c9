import { Type } from '@sinclair/typebox';
import { rmSync } from 'node:fs';
import { loadConfiguration, serverSettings, StartError, type Module } from '../../../src/framework';
import { makeProject, type TestProject } from '../../factories/platform';

const shopSchema = Type.Object(
  { name: Type.String(), hours: Type.Optional(Type.Integer()) },
  { additionalProperties: false },
);
const shop: Module = { name: 'shop', schemas: { shop: shopSchema }, defaults: { shop: { name: 'default' } } };

async function load(
  modules: readonly Module[],
  project: TestProject = {},
  environment: Readonly<Record<string, string>> = {},
): Promise<Awaited<ReturnType<typeof loadConfiguration>>> {
  const root = makeProject(project);
  try {
    return await loadConfiguration(root, modules, environment);
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('The configuration of a project', () => {
  it('begins with the defaults of the framework and of the modules', async () => {
    const configuration = await load([shop]);
    expect(configuration.section('server', serverSettings)).toEqual({
      host: '127.0.0.1',
      port: 8080,
      base_url: '',
      shutdown_timeout: 10,
    });
    expect(configuration.section('shop', shopSchema)).toEqual({ name: 'default' });
    expect(configuration.sourceOf(['shop', 'name'])).toBe('the defaults of the module "shop"');
  });

  it('lets a module set defaults for one that stands before it', async () => {
    const mall: Module = { name: 'mall', defaults: { shop: { name: 'of the mall' } } };
    expect((await load([shop, mall])).section('shop', shopSchema).name).toBe('of the mall');
  });

  it('rises from global to local files to the environment', async () => {
    const configuration = await load(
      [shop],
      {
        files: {
          'config/autoload/global.json': '{"shop": {"name": "global", "hours": 1}, "server": {"port": 1}}',
          'config/autoload/a.global.json': '{"shop": {"hours": 2}, "server": {"port": 2}}',
          'config/autoload/b.local.json': '{"shop": {"hours": 4}, "server": {"host": "::1"}}',
        },
        local: { shop: { hours: 3 }, server: { port: 3 } },
      },
      { PORT: '4' },
    );
    expect(configuration.section('shop', shopSchema)).toEqual({ name: 'global', hours: 4 });
    expect(configuration.section('server', serverSettings)).toMatchObject({ host: '::1', port: 4 });
    expect(configuration.sourceOf(['server', 'port'])).toBe('the environment');
    expect(configuration.sourceOf(['shop', 'hours'])).toBe('config/autoload/b.local.json:1:11');
  });

  it('lets a file take a default away', async () => {
    await expect(load([shop], { local: { shop: { name: null } } })).rejects.toThrow('shop.name: is missing.');
  });

  it('tells every error at once, each with its file', async () => {
    const error: unknown = await load([shop], {
      files: { 'config/autoload/global.json': '{\n"shpo": {}\n}' },
      local: { server: { port: 70_000 } },
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(StartError);
    expect(error).toMatchObject({
      message:
        'config/autoload/global.json:2:1: shpo: unknown key. Did you mean "shop"? Allowed: server, view_manager, shop.\n' +
        'config/autoload/local.json:3:5: server.port: is 70000; it must be <= 65535.',
    });
  });

  it('blames a module for defaults that are wrong', async () => {
    const wrong: Module = { ...shop, defaults: { shop: { name: 1 } } };
    await expect(load([wrong])).rejects.toThrow(
      'the defaults of the module "shop": shop.name: is 1; it must be of type string.',
    );
  });
});

describe('A key that two describe', () => {
  it('is an error that names both modules', async () => {
    await expect(load([shop, { ...shop, name: 'mall' }])).rejects.toThrow(
      new StartError('Both the module "shop" and the module "mall" describe the configuration key "shop".'),
    );
  });

  it('is an error that names the framework where it is its own', async () => {
    await expect(load([{ name: 'mall', schemas: { server: shopSchema } }])).rejects.toThrow(
      'Both the framework and the module "mall" describe the configuration key "server".',
    );
  });
});
