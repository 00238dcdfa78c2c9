import fc from 'fast-check';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readJsonFile } from '../../../src/framework/json/json-file';
import { ConfigurationError } from '../../../src/framework';
import { anyText } from '../../factories/any-text';

const folder = mkdtempSync(path.join(tmpdir(), 'json-file-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = path.join(folder, 'file.json');

function read(text: string): ReturnType<typeof readJsonFile> {
  writeFileSync(file, text);
  return readJsonFile(file, 'config/file.json');
}

describe('A JSON file', () => {
  it('is undefined if it does not exist', async () => {
    expect(await readJsonFile(path.join(folder, 'none.json'), 'none.json')).toBeUndefined();
  });

  it('says what to do if it cannot be read', async () => {
    writeFileSync(path.join(folder, 'file'), '');
    mkdirSync(path.join(folder, 'folder.json'));
    symlinkSync('loop.json', path.join(folder, 'loop.json'));
    const messages = ['file/a.json', 'folder.json', 'loop.json'].map((name) =>
      readJsonFile(path.join(folder, name), name).catch((error: unknown) => String(error)),
    );
    expect(await Promise.all(messages)).toEqual([
      'ConfigurationError: file/a.json cannot be read (ENOTDIR). A part of its path is a file, not a folder: correct the path, or move that file away.',
      'ConfigurationError: folder.json cannot be read (EISDIR). It is a folder: move it away, and create a file.',
      'ConfigurationError: loop.json cannot be read (ELOOP). Its symbolic links form a loop: correct them.',
    ]);
  });

  it('returns its object, with or without a byte order mark', async () => {
    expect((await read('\uFEFF{"a": [1, null]}'))?.value).toEqual({ a: [1, null] });
  });

  it.each([
    ['{\n  "a": 1\n  "b": 2\n}', 'config/file.json:3:3: not well-formed JSON: "," expected, found "b".'],
    ['{"a": 1,}', 'config/file.json:1:9: not well-formed JSON:'],
    ['{\n"a": [1, 2', 'config/file.json:2:11: not well-formed JSON: "]" expected, but the file ends.'],
    ['{} // why', 'config/file.json:1:4: not well-formed JSON: comments are not allowed in JSON.'],
    ['', 'config/file.json:1:1: not well-formed JSON: '],
    [
      "{'a': 1}",
      'config/file.json:1:2: not well-formed JSON: keys and strings are written in double quotes.',
    ],
    [
      '{"a": “b”}',
      'config/file.json:1:7: not well-formed JSON: keys and strings are written in double quotes.',
    ],
    ["{'a': 1", 'config/file.json:1:2: not well-formed JSON: keys and strings are written in double quotes.'],
    ["'a'", 'config/file.json:1:1: not well-formed JSON: keys and strings are written in double quotes.'],
    ['{"a": 10\'000}', 'config/file.json:1:9: not well-formed JSON: a JSON value expected.'],
    ['```json\n{}\n```', 'config/file.json:1:1: not well-formed JSON: a JSON value expected.'],
    ['{}\n```', 'config/file.json:2:1: not well-formed JSON: a JSON value expected.'],
    ['{"a": True}', 'config/file.json:1:7: not well-formed JSON: a JSON value expected.'],
  ])('that is not well-formed is an error with line and column: %j', async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
  });

  it.each([
    '{ "password": \'hunter2\' }',
    '{ "password": hunter2 }',
    '{ "password": hun:ter2 }',
    '{ "password": "hun\\ter2\\q" }',
    '{ "password": "hun\tter2" }',
    '{ "password" "hunter2" }',
    '{ "password": "quo"hunter2" }',
    '{ "password": "quo"hun:ter2" }',
    '{ "password": "quo",hun:ter2" }',
    '{ "passwords": ["one" "hunter2"] }',
    '{} "hunter2"',
  ])('that is not well-formed does not show values: %j', async (text) => {
    const error = await read(text).then(String, String);
    expect(error).toContain('not well-formed JSON');
    expect(error).not.toMatch(/hun|ter2/);
  });

  it.each([
    ['[]', 'an array'],
    ['1', '1'],
    ['null', 'null'],
    ['"text"', 'the string "text"'],
  ])('that does not contain an object is an error: %s', async (text, found) => {
    await expect(read(`\n ${text}`)).rejects.toThrow(
      new ConfigurationError(
        `config/file.json:2:2: is ${found}, but must contain a JSON object, such as {}.`,
      ),
    );
  });

  it.each([
    ['{\n  "a": "caf\xe9"}', '2:12: the byte 0xe9'],
    ['{"a": "\xc3\xa9\xef\xbf\xbd \xf0\x9f\x98\x80\xc3"}', '1:13: the byte 0xc3'],
  ])('that is not UTF-8 is an error with the position of the first invalid byte', async (bytes, found) => {
    writeFileSync(file, Buffer.from(bytes, 'latin1'));
    await expect(readJsonFile(file, 'config/file.json')).rejects.toThrow(
      new ConfigurationError(`config/file.json:${found} is not UTF-8. Save the file as UTF-8.`),
    );
  });

  it('is nested up to a thousand levels deep', async () => {
    const nested = (open: string, levels: number, close: string): string =>
      `{"a": ${open.repeat(levels)}1${close.repeat(levels)}}`;
    expect(await read(nested('[', 999, ']'))).toHaveProperty('value.a');
    const isText = `{"a": ${JSON.stringify(['\\"', '['.repeat(2_000)])}, "b": [${'[], '.repeat(2_000)}[]]}`;
    expect(await read(isText)).toHaveProperty('value.a');
    await expect(read(`{"a": ${'['.repeat(900)}`)).rejects.toThrow('the file ends');
    for (const text of [
      nested('[', 1_000, ']'),
      nested('{"a":', 1_000, '}'),
      nested('[', 100_000, ']'),
      nested('[', 100_000, ',]'),
      `{"a": ${'['.repeat(100_000)}`,
      // Quotation marks in comments and open strings, and closing brackets of nothing.
      `// don"t\n{"a": ${'['.repeat(100_000)}`,
      `{"a\n: ${'['.repeat(100_000)}`,
      `{"a": ${'[},'.repeat(100_000)}`,
    ])
      await expect(read(text)).rejects.toThrow(
        'config/file.json: objects and lists are nested more than 1000 levels deep. Nest them less.',
      );
  });

  it('may contain replacement characters', async () => {
    expect((await read('{"a": "\uFFFD"}'))?.value).toEqual({ a: '\uFFFD' });
  });

  it('returns the value of JSON.parse', async () => {
    const objects = fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      fc.jsonValue({ noUnicodeString: false }),
    );
    await fc.assert(
      fc.asyncProperty(objects, async (value) => {
        const text = JSON.stringify(value, null, 2);
        expect((await read(text))?.value).toEqual(JSON.parse(text));
      }),
      { numRuns: 50 },
    );
  });

  it('is parsed or rejected with its name, for any content', async () => {
    await fc.assert(
      fc.asyncProperty(anyText(), async (text) => {
        const refusal = await read(text).then(
          () => new ConfigurationError('config/file.json'),
          (reason: unknown) => reason,
        );
        expect(refusal).toBeInstanceOf(ConfigurationError);
        expect(refusal).toMatchObject({ message: expect.stringMatching(/^config\/file\.json/) as unknown });
      }),
      { numRuns: 100 },
    );
  });
});
