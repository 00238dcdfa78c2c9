import { Type, type TSchema } from '@sinclair/typebox';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { check } from '../../../src/framework/config/check';
import { readJsonFile } from '../../../src/framework/json/json-file';

const folder = mkdtempSync(path.join(tmpdir(), 'check-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What is wrong with a file of this text. */
async function complaints(text: string, schema: TSchema): Promise<readonly string[]> {
  const file = path.join(folder, 'local.json');
  writeFileSync(file, text);
  const json = await readJsonFile(file, 'local.json');
  if (json === undefined) throw new TypeError('The file was just written.');
  const layer = { source: 'local.json', tree: json.value, locate: json.locate.bind(json) };
  const faults = check(json.value, schema, [{ source: 'the defaults', tree: {} }, layer]);
  return faults.map(({ message }) => message);
}

const strict = { additionalProperties: false };
const server = Type.Object(
  { server: Type.Object({ host: Type.String(), port: Type.Integer() }, strict) },
  strict,
);

describe('Configuration that is as it should be', () => {
  it('has no complaints', async () => {
    expect(await complaints('{"server": {"host": "a", "port": 1}}', server)).toEqual([]);
  });
});

describe('A complaint says file, place, path, what is there and what is allowed', () => {
  it('of an unknown key, with the key that was meant', async () => {
    const text = '{\n  "server": {\n    "host": "a",\n    "port": 1,\n    "prot": 2\n  }\n}';
    expect(await complaints(text, server)).toEqual([
      'local.json:5:5: server.prot: unknown key. Did you mean "port"? Allowed: host, port.',
    ]);
  });

  it('of an unknown key that is like no other', async () => {
    expect(await complaints('{"server": {"host": "a", "port": 1}, "telemetry": {}}', server)).toEqual([
      'local.json:1:38: telemetry: unknown key. Allowed: server.',
    ]);
  });

  it('of a value of another type', async () => {
    expect(await complaints('{"server": {"host": "a", "port": "80"}}', server)).toEqual([
      'local.json:1:26: server.port: is "80"; it must be of type integer.',
    ]);
  });

  it('of a key that is missing, at the map that lacks it', async () => {
    expect(await complaints('{"server": {"host": "a"}}', server)).toEqual([
      'local.json:1:2: server.port: is missing.',
    ]);
  });

  it('of each error there is', async () => {
    expect(await complaints('{"server": {"host": 1, "port": null, "x": 1}}', server)).toHaveLength(3);
  });

  it('of a choice, with the choices', async () => {
    const schema = Type.Object({ level: Type.Union([Type.Literal('info'), Type.Literal('warn')]) });
    expect(await complaints('{"level": "inof"}', schema)).toEqual([
      'local.json:1:2: level: is "inof"; allowed: "info" or "warn".',
    ]);
  });

  it('of a list of fixed values', async () => {
    const schema = Type.Object({ level: Type.Unsafe<string>({ enum: ['info', 'warn'] }) });
    expect(await complaints('{"level": "x"}', schema)).toEqual([
      'local.json:1:2: level: is "x"; allowed: ["info","warn"].',
    ]);
  });

  it('of a number out of its range, or a text out of its pattern', async () => {
    const schema = Type.Object({ port: Type.Integer({ maximum: 10 }), base: Type.String({ pattern: '^/' }) });
    expect(await complaints('{"port": 11, "base": "x"}', schema)).toEqual([
      'local.json:1:2: port: is 11; it must be <= 10.',
      'local.json:1:14: base: is "x"; it must match ^/.',
    ]);
  });

  it('of a place in a list', async () => {
    const schema = Type.Object({ list: Type.Array(Type.String()) });
    expect(await complaints('{"list": ["a", 2]}', schema)).toEqual([
      'local.json:1:16: list[1]: is 2; it must be of type string.',
    ]);
  });

  it('of the deepest fault where one of several shapes was meant', async () => {
    const schema = Type.Object({
      rule: Type.Union([Type.Null(), Type.Object({ roles: Type.Array(Type.String()) }, strict)]),
    });
    expect(await complaints('{"rule": {"roles": [1]}}', schema)).toEqual([
      'local.json:1:21: rule.roles[0]: is 1; it must be of type string.',
    ]);
  });

  it('with the hint of the schema', async () => {
    const schema = Type.Object({ file: Type.String({ hint: 'Create it with apidesc-platform htpasswd.' }) });
    expect(await complaints('{"file": 1}', schema)).toEqual([
      'local.json:1:2: file: is 1; it must be of type string. Create it with apidesc-platform htpasswd.',
    ]);
  });

  it('for keys with slashes and tildes in them', async () => {
    const schema = Type.Object({ map: Type.Record(Type.String(), Type.String()) });
    expect(await complaints('{"map": {"a/b~c": 1}}', schema)).toEqual([
      'local.json:1:10: map.a/b~c: is 1; it must be of type string.',
    ]);
  });
});
