import { Type, type TSchema } from '@sinclair/typebox';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { check } from '../../../src/framework/config/check';
import { readJsonFile } from '../../../src/framework/json/json-file';

const folder = mkdtempSync(path.join(tmpdir(), 'check-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Returns the messages for a file with this text. */
async function messagesFor(text: string, schema: TSchema): Promise<readonly string[]> {
  const file = path.join(folder, 'local.json');
  writeFileSync(file, text);
  const json = await readJsonFile(file, 'local.json');
  if (json === undefined) throw new TypeError('The file was just written.');
  const layer = { source: 'local.json', tree: json.value, locate: json.locate.bind(json) };
  const issues = check(json.value, schema, [{ source: 'the defaults', tree: {} }, layer]);
  return issues.map(({ message }) => message);
}

const strict = { additionalProperties: false };
const server = Type.Object(
  { server: Type.Object({ host: Type.String(), port: Type.Integer() }, strict) },
  strict,
);

describe('Valid configuration', () => {
  it('has no issues', async () => {
    expect(await messagesFor('{"server": {"host": "a", "port": 1}}', server)).toEqual([]);
  });
});

describe('An issue has file, position, path, value and what is allowed', () => {
  it('for an unknown key, with a suggestion', async () => {
    const text = '{\n  "server": {\n    "host": "a",\n    "port": 1,\n    "prot": 2\n  }\n}';
    expect(await messagesFor(text, server)).toEqual([
      'local.json:5:5: server.prot: unknown key. Did you mean "port"? Allowed: host, port.',
    ]);
  });

  it('for an unknown key without a similar one', async () => {
    expect(await messagesFor('{"server": {"host": "a", "port": 1}, "telemetry": {}}', server)).toEqual([
      'local.json:1:38: telemetry: unknown key. Allowed: server.',
    ]);
  });

  it('for a value of another type', async () => {
    expect(await messagesFor('{"server": {"host": "a", "port": "80"}}', server)).toEqual([
      'local.json:1:26: server.port: is "80"; it must be of type integer.',
    ]);
  });

  it('for a missing key, at the enclosing object', async () => {
    expect(await messagesFor('{"server": {"host": "a"}}', server)).toEqual([
      'local.json:1:2: server.port: is missing.',
    ]);
  });

  it('for each error', async () => {
    expect(await messagesFor('{"server": {"host": 1, "port": null, "x": 1}}', server)).toHaveLength(3);
  });

  it('for a union, with its values', async () => {
    const schema = Type.Object({ level: Type.Union([Type.Literal('info'), Type.Literal('warn')]) });
    expect(await messagesFor('{"level": "inof"}', schema)).toEqual([
      'local.json:1:2: level: is "inof"; allowed: "info" or "warn".',
    ]);
  });

  it('for an enum, with its values', async () => {
    const schema = Type.Object({ level: Type.Unsafe<string>({ enum: ['info', 'warn'] }) });
    expect(await messagesFor('{"level": "x"}', schema)).toEqual([
      'local.json:1:2: level: is "x"; allowed: ["info","warn"].',
    ]);
  });

  it('for a number out of range, and a string that does not match its pattern', async () => {
    const schema = Type.Object({ port: Type.Integer({ maximum: 10 }), base: Type.String({ pattern: '^/' }) });
    expect(await messagesFor('{"port": 11, "base": "x"}', schema)).toEqual([
      'local.json:1:2: port: is 11; it must be at most 10.',
      'local.json:1:14: base: is "x"; it must match ^/.',
    ]);
  });

  it('for too few or too many characters, items and keys', async () => {
    const schema = Type.Object({
      name: Type.String({ minLength: 1 }),
      list: Type.Array(Type.String(), { minItems: 2 }),
      map: Type.Object({}, { maxProperties: 1 }),
      share: Type.Number({ exclusiveMinimum: 0 }),
    });
    expect(
      await messagesFor('{"name": "", "list": [], "map": {"a": 1, "b": 2}, "share": 0}', schema),
    ).toEqual([
      'local.json:1:2: name: is ""; it must have at least 1 character.',
      'local.json:1:14: list: is []; it must have at least 2 items.',
      'local.json:1:26: map: is {"a":1,"b":2}; it must have at most 1 key.',
      'local.json:1:51: share: is 0; it must be greater than 0.',
    ]);
  });

  it('for a list item', async () => {
    const schema = Type.Object({ list: Type.Array(Type.String()) });
    expect(await messagesFor('{"list": ["a", 2]}', schema)).toEqual([
      'local.json:1:16: list[1]: is 2; it must be of type string.',
    ]);
  });

  it('for the deepest error of a union', async () => {
    const schema = Type.Object({
      rule: Type.Union([Type.Null(), Type.Object({ roles: Type.Array(Type.String()) }, strict)]),
    });
    expect(await messagesFor('{"rule": {"roles": [1]}}', schema)).toEqual([
      'local.json:1:21: rule.roles[0]: is 1; it must be of type string.',
    ]);
  });

  it('for a value that may have one of several types', async () => {
    const schema = Type.Object({ trace: Type.Unsafe({ type: ['object', 'boolean'] }) });
    expect(await messagesFor('{"trace": 1}', schema)).toEqual([
      'local.json:1:2: trace: is 1; it must be of type object or boolean.',
    ]);
  });

  it('with the hint of the schema', async () => {
    const schema = Type.Object({ file: Type.String({ hint: 'Create it with apidesc-platform htpasswd.' }) });
    expect(await messagesFor('{"file": 1}', schema)).toEqual([
      'local.json:1:2: file: is 1; it must be of type string. Create it with apidesc-platform htpasswd.',
    ]);
  });

  it('for keys with slashes and tildes', async () => {
    const schema = Type.Object({ map: Type.Record(Type.String(), Type.String()) });
    expect(await messagesFor('{"map": {"a/b~c": 1}}', schema)).toEqual([
      'local.json:1:10: map.a/b~c: is 1; it must be of type string.',
    ]);
  });
});

describe('An issue states only the type', () => {
  const shop = Type.Object({
    client_secret: Type.Optional(Type.String()),
    code: Type.Optional(Type.String({ secret: true })),
    open: Type.Optional(Type.String({ secret: false })),
    keys: Type.Optional(Type.Array(Type.String({ format: 'password' }))),
    server: Type.Optional(Type.String()),
  });
  it.each([
    ['{"client_secret": 4711081547110815}', 'client_secret: is a number; it must be of type string.'],
    ['{"code": true}', 'code: is a boolean; it must be of type string.'],
    ['{"keys": "s3cret"}', 'keys: is a string; it must be of type array.'],
    ['{"keys": ["s3cret", 4711]}', 'keys[1]: is a number; it must be of type string.'],
    ['{"client_secret": {"s3cret": 1}}', 'client_secret: is an object; it must be of type string.'],
    ['{"server": {"auth": {"password": "s3cret"}}}', 'server: is an object; it must be of type string.'],
    ['{"server": {"auth": [{"name": "ada"}]}}', 'server: is {"auth":[{"name":"ada"}]}; it must be of'],
    ['{"open": 1}', 'open: is 1; it must be of type string.'],
  ])('of a secret, and of what has one: %s', async (text, message) => {
    const [found] = await messagesFor(text, shop);
    expect(found).toContain(message);
    expect(found).not.toMatch(/s3cret|4711/);
  });

  it('of a value from the environment where a number is one of several types, and how to convert it', () => {
    const schema = Type.Object({ workers: Type.Union([Type.Integer(), Type.Literal('auto')]) });
    const layer = { source: 'local.json', tree: {}, written: [{ path: ['workers'], text: '${WORKERS}' }] };
    const [issue] = check({ workers: '4' }, schema, [layer]);
    expect(issue?.message).toBe(
      'the configuration: workers: is a string; allowed: integer or "auto". Environment variables are texts: convert it in a script, such as config/autoload/environment.global.js.',
    );
  });

  it('of a value from the environment where a schema lists a number among its types', () => {
    const schema = Type.Object({ size: Type.Unsafe({ type: ['integer', 'null'] }) });
    const layer = { source: 'local.json', tree: {}, written: [{ path: ['size'], text: '${SIZE}' }] };
    const [issue] = check({ size: '4' }, schema, [layer]);
    expect(issue?.message).toContain('Environment variables are texts: convert it in a script');
  });

  it('of a value from the environment, whatever its position in an additive list', () => {
    const schema = Type.Object({ port: Type.Integer(), list: Type.Array(Type.String({ maxLength: 3 })) });
    const given = { port: 's3cret', list: ['abcd', 's3cret', 'x'] };
    const written = [
      { path: ['port'], text: '${PORT}' },
      { path: ['list', 0], text: '${NAME}' },
    ];
    const issues = check(given, schema, [{ source: 'local.json', tree: {}, written }]);
    expect(issues.map(({ message }) => message)).toEqual([
      'the configuration: port: is a string; it must be of type integer. Environment variables are texts: convert it in a script, such as config/autoload/environment.global.js.',
      'the configuration: list[0]: is a string; it must have at most 3 characters.',
      'the configuration: list[1]: is a string; it must have at most 3 characters.',
    ]);
  });
});
