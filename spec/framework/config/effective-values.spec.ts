import { Type } from '@sinclair/typebox';
import { rmSync } from 'node:fs';
import { loadConfiguration, type ExplainedValue, type Module } from '../../../src/framework';
import { makeProject, type TestProject } from '../../factories/platform';

const shopSchema = Type.Object({
  name: Type.Optional(Type.String()),
  url: Type.Optional(Type.String()),
  hours: Type.Optional(Type.Array(Type.Integer())),
  pin: Type.Optional(Type.String({ secret: true })),
  codes: Type.Optional(Type.Array(Type.String({ secret: true }))),
  phrase: Type.Optional(Type.String({ format: 'password' })),
  client_secret: Type.Optional(Type.String()),
  password_file: Type.Optional(Type.String()),
  clerks: Type.Optional(Type.Record(Type.String(), Type.String())),
  options: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  fields: Type.Optional(Type.Record(Type.String(), Type.Unknown(), { secret: false })),
  types: Type.Optional(Type.Record(Type.String(), Type.Array(Type.String(), { mergeLists: 'add' }))),
});
const shop: Module = {
  name: 'shop',
  schemas: { shop: shopSchema },
  defaults: { shop: { name: 'default', types: { Json: ['a/b'] } } },
};

async function explained(
  project: TestProject,
  environment: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, Omit<ExplainedValue, 'path'>>> {
  const root = makeProject(project);
  try {
    const configuration = await loadConfiguration(root, [shop], environment);
    return new Map(configuration.explain().map(({ path, ...rest }) => [path.join('.'), rest]));
  } finally {
    rmSync(root, { recursive: true });
  }
}

describe('The explanation of the configuration', () => {
  it('contains every leaf with its value and source', async () => {
    const all = await explained({ local: { shop: { hours: [9, 17], clerks: {} } } }, { PORT: '9' });
    expect(all.get('shop.name')?.source).toBe('the defaults of the module "shop"');
    expect(all.get('shop.hours')).toMatchObject({ value: [9, 17], source: 'config/autoload/local.json:3:5' });
    expect(all.get('shop.clerks')?.value).toEqual({});
    expect(all.get('server.port')).toMatchObject({ value: 9, source: 'the environment' });
  });

  it('contains the source of each member of an additive list', async () => {
    const files = { 'config/autoload/global.json': '{"shop": {"types": {"Json":\n["c/d"]}}}' };
    const all = await explained({ files, local: { shop: { types: { Json: ['a/b', 'e/f'] } } } });
    const sources = [...all].flatMap(([key, { value, source }]) =>
      key.startsWith('shop.types') ? [[key, value, source]] : [],
    );
    expect(sources).toEqual([
      ['shop.types.Json.0', 'a/b', 'the defaults of the module "shop"'],
      ['shop.types.Json.1', 'c/d', 'config/autoload/global.json:2:2'],
      ['shop.types.Json.2', 'e/f', 'config/autoload/local.json:6:9'],
    ]);
  });

  it('marks keys that require a restart', async () => {
    const all = await explained({});
    const restart = [...all].filter(([, one]) => one.restart).map(([key]) => key);
    expect(restart.sort()).toEqual([
      'server.host',
      'server.max_header_fields',
      'server.max_header_size',
      'server.max_request_line',
      'server.port',
    ]);
  });

  it('detects secrets by schema and by key, but not by the names of map entries', async () => {
    const all = await explained({
      local: {
        shop: {
          pin: '1234',
          phrase: 'sesame',
          client_secret: 'x',
          password_file: 'data/users',
          clerks: { token: 'Ada', password: 'Bob' },
          options: {
            apiKey: 'x',
            apikey: 'x',
            APIKey: 'x',
            passwd: 'x',
            'private-key': 'x',
            tokens: { robot: { name: 'x' } },
            user: 'u',
            db: { password: 'x' },
            key: 'k',
          },
          fields: { password: { description: 'd' } },
        },
      },
    });
    const secrets = [...all].filter(([, one]) => one.secret).map(([key]) => key);
    expect(secrets.sort()).toEqual([
      'shop.client_secret',
      'shop.options.APIKey',
      'shop.options.apiKey',
      'shop.options.apikey',
      'shop.options.db.password',
      'shop.options.passwd',
      'shop.options.private-key',
      'shop.options.tokens.robot.name',
      'shop.phrase',
      'shop.pin',
    ]);
  });

  it('treats a list whose items are secret as a secret', async () => {
    const all = await explained({ local: { shop: { codes: ['1234', '5678'] } } });
    expect(all.get('shop.codes')?.secret).toBe(true);
  });

  it('treats values with environment variables as secrets, and has the text of the file', async () => {
    const all = await explained(
      {
        local: {
          shop: {
            url: 'db://${DB}',
            pin: 'x${PIN}',
            client_secret: '${PIN}',
            options: { list: ['a', '${DB}'] },
          },
        },
      },
      { DB: 'host', PIN: '1234' },
    );
    expect(all.get('shop.url')).toMatchObject({ value: 'db://host', secret: true, written: 'db://${DB}' });
    expect(all.get('shop.client_secret')?.written).toBe('${PIN}');
    // The rest of the value is a secret too.
    expect(all.get('shop.pin')).not.toHaveProperty('written');
    expect(all.get('shop.options.list')).toMatchObject({ secret: true });
    expect(all.get('shop.name')?.secret).toBe(false);
  });
});
