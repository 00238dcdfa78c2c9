import { Type } from '@sinclair/typebox';
import { rmSync } from 'node:fs';
import { loadConfiguration, serverSettings, ConfigurationError, type Module } from '../../../src/framework';
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
  it('starts with the defaults of the framework and the modules', async () => {
    const configuration = await load([shop]);
    expect(configuration.section('server', serverSettings)).toMatchObject({
      host: '127.0.0.1',
      port: 8080,
      base_url: '',
      shutdown_timeout: 10,
      request_timeout: 60,
      inactivity_timeout: 30,
      max_connections_per_address: 0,
      max_body_memory: 67_108_864,
      trust_proxy: [],
    });
    expect(configuration.section('shop', shopSchema)).toEqual({ name: 'default' });
    expect(configuration.sourceOf(['shop', 'name'])).toBe('the defaults of the module "shop"');
  });

  it.each<[string, unknown, string]>([
    ['nothing', () => undefined, 'schemas() returned undefined. Return an object with a schema for each'],
    ['a promise', () => Promise.resolve({}), 'schemas() returned an instance of Promise. Return an object'],
    [
      'an error',
      () => {
        throw new Error('no rates');
      },
      'schemas() failed: no rates',
    ],
    ['a text', { shop: 'object' }, 'schemas.shop is the string "object". Write a schema, such as'],
  ])('names a module whose schemas are %s', async (_, schemas, message) => {
    const odd: Module = { name: 'odd', schemas: schemas as NonNullable<Module['schemas']> };
    await expect(load([odd])).rejects.toThrow(
      new RegExp(`^The module "odd": ${message.replace(/[()[\].]/g, '\\$&')}`),
    );
  });

  it.each([
    [Type.Object({ name: Type.String({ pattern: '(' }) }), 'Invalid regular expression'],
    [Type.Object({ name: Type.Unsafe({ type: 'strng' }) }), 'strng'],
  ])('names the section whose schema is invalid (%#)', async (schema, message) => {
    const odd: Module = { name: 'odd', schemas: { odd: schema }, defaults: { odd: { name: 'a' } } };
    const refusal = load([odd]);
    await expect(refusal).rejects.toThrow(ConfigurationError);
    await expect(refusal).rejects.toThrow(/^The schema of odd, which a module declares, is invalid: /);
    await expect(refusal).rejects.toThrow(message);
  });

  it('lets a module override the defaults of an earlier one', async () => {
    const mall: Module = { name: 'mall', defaults: { shop: { name: 'of the mall' } } };
    expect((await load([shop, mall])).section('shop', shopSchema).name).toBe('of the mall');
  });

  it('applies global files, local files and the environment, in this order', async () => {
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

  it('lets a file remove a default, and reports the file if the key is required', async () => {
    const hours: Module = { ...shop, defaults: { shop: { name: 'default', hours: 8 } } };
    const configuration = await load([hours], { local: { shop: { hours: null } } });
    expect(configuration.section('shop', shopSchema)).toEqual({ name: 'default' });
    await expect(load([shop], { local: { shop: { name: null } } })).rejects.toThrow(
      'config/autoload/local.json:3:5: shop.name: is removed by null, but is required.',
    );
  });

  it('reports all errors at once, each with its file', async () => {
    const error: unknown = await load([shop], {
      files: { 'config/autoload/global.json': '{\n"shpo": {}\n}' },
      local: { server: { port: 70_000 } },
    }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({
      message:
        'config/autoload/global.json:2:1: shpo: unknown key. Did you mean "shop"? Allowed: log, server, view_manager, shop.\n' +
        'config/autoload/local.json:3:5: server.port: is 70000; it must be at most 65535.',
    });
  });

  it('also checks values that a higher layer overrides', async () => {
    const files = {
      'config/autoload/global.json': '{"server": {"port": "8080"}, "shop": {"hours": "late"}}',
    };
    const loading = load([shop], { files, local: { shop: { hours: 3 } } }, { PORT: '81' });
    await expect(loading).rejects.toThrow(
      new ConfigurationError(
        'config/autoload/global.json:1:13: server.port: is "8080"; it must be of type integer.\n' +
          'config/autoload/global.json:1:39: shop.hours: is "late"; it must be of type integer.',
      ),
    );
  });

  it('reports unreadable files, unset variables and invalid values together', async () => {
    const error: unknown = await load(
      [shop],
      {
        files: {
          'config/autoload/global.json':
            '{"server": {"base_url": "/${STAGE}"},\n"shop": {"name": "${NAME}", "hours": "x"}}',
          'config/autoload/a.local.json': '{"shop": }',
        },
        local: { server: { host: '${HERE}' } },
      },
      { PORT: 'x' },
    ).catch((reason: unknown) => reason);
    expect(error).toMatchObject({
      message: [
        'config/autoload/global.json:1:13: server.base_url refers to the environment variable STAGE, which is not set. Set it, or write the value in the file.',
        'config/autoload/global.json:2:10: shop.name refers to the environment variable NAME, which is not set. Set it, or write the value in the file.',
        'config/autoload/local.json:3:5: server.host refers to the environment variable HERE, which is not set. Set it, or write the value in the file.',
        'config/autoload/a.local.json:1:10: not well-formed JSON: a value expected, found }.',
        'The environment variable PORT is "x"; it must be a whole number.',
        'config/autoload/global.json:2:29: shop.hours: is "x"; it must be of type integer.',
      ].join('\n'),
    });
  });

  it('reports the file that removes a section', async () => {
    const loading = load([shop], { files: { 'config/autoload/x.local.json': '{\n"server": null}' } });
    await expect(loading).rejects.toThrow(
      new ConfigurationError(
        'config/autoload/x.local.json:2:1: server: is null, which removes a required section. Delete this line, or set individual keys.',
      ),
    );
  });

  it('lets a file remove a section that another one sets again', async () => {
    const files = { 'config/autoload/a.global.json': '{"shop": null}' };
    const configuration = await load([shop], { files, local: { shop: { name: 'again' } } });
    expect(configuration.section('shop', shopSchema)).toEqual({ name: 'again' });
  });

  it('reports an error in a merged list once', async () => {
    const types = Type.Object({ list: Type.Array(Type.String({ maxLength: 3 }), { mergeLists: 'add' }) });
    const module: Module = { name: 'm', schemas: { m: types }, defaults: { m: { list: ['a'] } } };
    await expect(load([module], { local: { m: { list: ['b', 'long'] } } })).rejects.toThrow(
      /^config\/autoload\/local\.json:5:7: m\.list\[1\]: is "long"[^\n]*$/,
    );
  });

  it('can be loaded with another local.json, or without one', async () => {
    const root = makeProject({ local: { shop: { name: 'as it is' } } });
    const name = async (options: { local?: string | null }): Promise<string> =>
      (await loadConfiguration(root, [shop], {}, options)).section('shop', shopSchema).name;
    expect(await name({})).toBe('as it is');
    expect(await name({ local: '{"shop": {"name": "as it would be"}}' })).toBe('as it would be');
    expect(await name({ local: null })).toBe('default');
    await expect(name({ local: '{"shop": {"nam": 1}}' })).rejects.toThrow(
      'config/autoload/local.json:1:11: shop.nam: unknown key. Did you mean "name"?',
    );
    rmSync(`${root}/config/autoload/local.json`);
    expect(await name({ local: '{"shop": {"name": "new"}}' })).toBe('new');
    rmSync(root, { recursive: true });
  });

  it('reports the module of invalid defaults', async () => {
    const wrong: Module = { ...shop, defaults: { shop: { name: 1 } } };
    await expect(load([wrong])).rejects.toThrow(
      'the defaults of the module "shop": shop.name: is 1; it must be of type string.',
    );
  });
});

describe('A key with two schemas', () => {
  it('is an error that names both modules', async () => {
    await expect(load([shop, { ...shop, name: 'mall' }])).rejects.toThrow(
      new ConfigurationError(
        'Both the module "shop" and the module "mall" define the configuration key "shop".',
      ),
    );
  });

  it('is an error that names the framework for its own keys', async () => {
    await expect(load([{ name: 'mall', schemas: { server: shopSchema } }])).rejects.toThrow(
      'Both the framework and the module "mall" define the configuration key "server".',
    );
  });
});
