import fc from 'fast-check';
import { parse } from 'yaml';
import { yamlChunks, yamlText } from '../../../src/modules/documentation-formats/yaml-text';
import { anyText } from '../../factories/any-text';

it('formats maps, lists and text like handwritten YAML', () => {
  expect(
    yamlText({
      openapi: '3.1.1',
      info: { title: 'All APIs', description: 'Two\nlines, and:\n\n- a list\n' },
      servers: [{ url: '/', description: 'Here' }, [1, 2]],
      paths: { '/v1/pets/{pet_id}': { get: { tags: [], responses: { 200: { $ref: '#/a' } } } } },
      'x-none': undefined,
      'x-odd': ['no', 'a: b', ' ', '', null, true, 1e21, '12:30:45', 'http://example.org/a'],
    }),
  ).toBe(
    [
      'openapi: "3.1.1"',
      'info:',
      '  title: All APIs',
      '  description: |',
      '    Two',
      '    lines, and:',
      '',
      '    - a list',
      'servers:',
      '  - url: /',
      '    description: Here',
      '  - - 1',
      '    - 2',
      'paths:',
      '  /v1/pets/{pet_id}:',
      '    get:',
      '      tags: []',
      '      responses:',
      '        "200":',
      '          $ref: "#/a"',
      'x-odd:',
      '  - "no"',
      '  - "a: b"',
      '  - " "',
      '  - ""',
      '  - null',
      '  - true',
      '  - 1.0e+21',
      '  - "12:30:45"',
      '  - http://example.org/a',
      '',
    ].join('\n'),
  );
});

/** Text that is difficult for YAML parsers: indicators, line ends, and words with a meaning. */
const text = fc.oneof(
  fc.string(),
  anyText(),
  fc.string({
    unit: fc.constantFrom(
      ...'ab1 -?:,[]{}#&*!|>\'"%@`~$/\\=.\n\t\r'.split(/(?:)/u),
      ...['no', '---', '...', '<<', '0x1', '\u2028', '\u0085'],
      ...['\u00e9', '\u3000', '\ufeff', '\u{1f600}', '\u007f', '\n\n', '\n ', ' \n'],
    ),
  }),
  fc.constantFrom(
    'y',
    'NO',
    'True',
    'null',
    '~',
    '1e3',
    'E0',
    'e-5',
    '0o7',
    '1_000',
    '2020-01-01',
    '.inf',
    '=',
    'x'.repeat(1100),
  ),
);

const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('map'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  map: fc.dictionary(text, tie('value'), { maxKeys: 4 }),
}));

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

it('writes YAML that parsers of versions 1.2 and 1.1 read as the same value', () => {
  fc.assert(
    fc.property(fc.oneof(json.map, json.list), (value) => {
      const written = yamlText(value);
      for (const version of ['1.2', '1.1'] as const) {
        expect(parse(written, { version, uniqueKeys: true, merge: false })).toEqual(asJson(value));
      }
    }),
    { numRuns: 1000 },
  );
});

it('returns the same text in any number of chunks', () => {
  fc.assert(
    fc.property(fc.oneof(json.map, json.list), fc.integer({ min: 0, max: 5 }), (value, levels) => {
      expect([...yamlChunks(value as object, levels)].join('')).toBe(yamlText(value as object));
    }),
  );
  expect([...yamlChunks({ paths: { '/a': {}, '/b': { get: {} } }, tags: [] }, 2)]).toEqual([
    'paths:\n',
    '  /a: {}\n',
    '  /b:\n    get: {}\n',
    'tags: []\n',
  ]);
});
