import fc from 'fast-check';
import { parseTree, type Node } from 'jsonc-parser';
import { isDeepStrictEqual } from 'node:util';
import {
  editText,
  isObject,
  parseConfiguration,
  ConfigurationError,
  valueAt,
  type ConfigEdit,
  type ConfigObject,
  type ConfigValue,
} from '../../../src/framework';
import { JsonPositions } from '../../../src/framework/json/json-positions';
import { growthOf } from '../../factories/measure/cpu-time';

const text = `{
  "server": {
    "port": 8080,
    "host": "127.0.0.1"
  },
  "lists": { "one": ["a", "b"], "none": [] }
}
`;

const set = (before: string | undefined, path: ConfigEdit['path'], value: ConfigValue | undefined): string =>
  editText(before, [{ path, value }]);

describe('Editing the text of a configuration file', () => {
  it('replaces only the value', () => {
    expect(set(text, ['server', 'port'], 9000)).toBe(text.replace('8080', '9000'));
  });

  it('appends a key to its object, in the same layout', () => {
    expect(set(text, ['server', 'base_url'], '/x')).toBe(
      text.replace('"127.0.0.1"\n', '"127.0.0.1",\n    "base_url": "/x"\n'),
    );
    expect(set(text, ['lists', 'two'], ['c'])).toBe(text.replace('[] }', '[], "two": ["c"] }'));
  });

  it('creates missing parents', () => {
    expect(set(text, ['auth', 'map', 'Atlas-v1'], 'basic')).toBe(
      text.replace('[] }\n', '[] },\n  "auth": {\n    "map": {\n      "Atlas-v1": "basic"\n    }\n  }\n'),
    );
  });

  it('replaces another value with an object if the path requires one', () => {
    expect(set('{"a": null}', ['a', 'b'], 1)).toBe('{"a": {"b": 1}}');
    expect(set('{"a": 5, "c": 2}', ['a', 'b', 'd'], 1)).toBe('{"a": {"b": {"d": 1}}, "c": 2}');
  });

  it('removes a key with its comma: the first, a middle one, the last, the only one', () => {
    const three = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n';
    expect(set(three, ['a'], undefined)).toBe('{\n  "b": 2,\n  "c": 3\n}\n');
    expect(set(three, ['b'], undefined)).toBe('{\n  "a": 1,\n  "c": 3\n}\n');
    expect(set(three, ['c'], undefined)).toBe('{\n  "a": 1,\n  "b": 2\n}\n');
    expect(set('{\n  "a": 1\n}\n', ['a'], undefined)).toBe('{}\n');
  });

  it('does not change the text if the key does not exist', () => {
    expect(set(text, ['server', 'none'], undefined)).toBe(text);
    expect(set(text, ['none', 'at', 'all'], undefined)).toBe(text);
  });

  it('writes null, which removes the value of lower layers', () => {
    expect(set('{"a": {"b": 1}}', ['a'], null)).toBe('{"a": null}');
  });

  it('creates a new file', () => {
    expect(set(undefined, ['a', 'b'], [])).toBe('{\n  "a": {\n    "b": []\n  }\n}\n');
    expect(editText(undefined, [])).toBe('{}\n');
  });

  it('keeps tabs, line endings, a byte order mark, $schema, and a missing final line break', () => {
    const odd = '\uFEFF{\r\n\t"$schema": "../schema.json",\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}';
    expect(set(odd, ['a', 'c'], { d: 2 })).toBe(
      odd.replace('1\r\n', '1,\r\n\t\t"c": {\r\n\t\t\t"d": 2\r\n\t\t}\r\n'),
    );
  });

  it('supports keys that look like numbers or members of Object.prototype', () => {
    expect(set('{"versions":{"1":{}}}', ['versions', '1', 'x'], 1)).toBe('{"versions":{"1":{"x":1}}}');
    expect(set('{}', ['__proto__', 'toString'], 1)).toContain('"__proto__"');
  });

  it('changes, adds and removes list items', () => {
    expect(set(text, ['lists', 'one', 1], 'B')).toBe(text.replace('"b"', '"B"'));
    expect(set(text, ['lists', 'one', 2], 'c')).toBe(text.replace('"b"]', '"b", "c"]'));
    expect(set(text, ['lists', 'one', 0], undefined)).toBe(text.replace('"a", ', ''));
  });

  it('rejects an invalid text with line and column', () => {
    expect(() => set('{\n  "a": 1,\n}', ['a'], 2)).toThrow(ConfigurationError);
    expect(() => set('{\n  "a": 1,\n}', ['a'], 2)).toThrow(
      /^config\/autoload\/local\.json:3:1: not well-formed/,
    );
    expect(() => set('[]', ['a'], 2)).toThrow('must contain a JSON object');
  });

  it('rejects a duplicate key, as parsers differ in which one takes precedence', () => {
    expect(() => set('{\n  "a": 1,\n  "b": {},\n  "a": 2\n}', ['a'], 3)).toThrow(
      'config/autoload/local.json:4:3: the key "a" is a duplicate of the key at 2:3. Remove one of the two.',
    );
  });
});

const key = fc.oneof(
  fc.constantFrom('a', 'b', 'c', '1', 'x.y', '', '__proto__', 'constructor'),
  fc.string({ maxLength: 4 }),
);
const scalar = fc.oneof(fc.integer(), fc.string({ maxLength: 6 }), fc.boolean(), fc.constant(null));
const { tree } = fc.letrec<{ value: ConfigValue; tree: ConfigObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    tie('tree'),
  ),
  tree: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}));
const layout = fc.constantFrom<string | number | undefined>(undefined, 2, 4, '\t');
const eol = fc.constantFrom('\n', '\r\n');
const file = fc
  .tuple(tree, layout, eol, fc.boolean())
  .map(
    ([value, unit, end, last]) => JSON.stringify(value, null, unit).replaceAll('\n', end) + (last ? end : ''),
  );
const edit = fc.record<ConfigEdit>({
  path: fc.array(key, { minLength: 1, maxLength: 4 }),
  value: fc.oneof(scalar, tree, fc.constant(undefined)),
});

/** Applies an edit to a value, as the expected result. */
function edited(
  value: ConfigValue | undefined,
  [head, ...rest]: ConfigEdit['path'],
  put?: ConfigValue,
): ConfigObject {
  const map = new Map(Object.entries(isObject(value) ? value : {}));
  const name = String(head);
  if (rest.length > 0) map.set(name, edited(map.get(name), rest, put));
  else if (put === undefined) map.delete(name);
  else map.set(name, put);
  return Object.fromEntries(map);
}

describe('Every edit', () => {
  it('changes the value as expected, and nothing else', () => {
    fc.assert(
      fc.property(file, edit, (before, { path, value }) => {
        const known = JSON.parse(before) as ConfigObject;
        const isNothing = value === undefined && valueAt(known, path) === undefined;
        const wanted = isNothing ? known : edited(known, path, value);
        const after = editText(before, [{ path, value }]);
        expect(isDeepStrictEqual(JSON.parse(after), wanted)).toBe(true);
        // Including the order of keys.
        expect(JSON.stringify(JSON.parse(after))).toBe(JSON.stringify(wanted));
      }),
      { numRuns: 2000 },
    );
  });

  it('does not change a byte of other members', () => {
    fc.assert(
      fc.property(file, edit, (before, one) => {
        const after = editText(before, [one]);
        expect(besides(after, one.path)).toEqual(besides(before, one.path));
        expect(/[\r\n]?$/.exec(after)?.[0]).toBe(/[\r\n]?$/.exec(before)?.[0]);
      }),
      { numRuns: 2000 },
    );
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(file, edit, (before, one) => {
        const once = editText(before, [one]);
        expect(parseConfiguration(editText(once, [one]))).toEqual(parseConfiguration(once));
        if (typeof one.value !== 'object' || one.value === null) expect(editText(once, [one])).toBe(once);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('Several edits', () => {
  it('have the same result together as sequentially', () => {
    fc.assert(
      fc.property(file, fc.array(edit, { maxLength: 6 }), (before, edits) => {
        const singly = edits.reduce((text, one) => editText(text, [one]), before);
        expect(JSON.parse(editText(before, edits))).toEqual(JSON.parse(singly));
      }),
      { numRuns: 1000 },
    );
  });

  it('parse the text only a few times, for any number of edits', () => {
    const edited = (count: number): string => {
      const services = Array.from({ length: count }, (_, at) => `Service${at}`);
      const rules = Object.fromEntries(services.map((name) => [name, { GET: 'guest' }]));
      return editText(
        JSON.stringify({ rules }, null, 2),
        services.flatMap((name, at) => [
          { path: ['rules', name, 'GET'], value: at % 2 === 0 ? 'authenticated' : undefined },
          { path: ['rules', name, 'POST'], value: ['ada'] },
        ]),
      );
    };
    const scan = jest.spyOn(JsonPositions, 'scan');
    const after = edited(3000);
    expect(scan.mock.calls.length).toBeLessThan(5);
    scan.mockRestore();
    // Work on the whole text for each edit would take 225 times as long.
    expect(growthOf(edited, 200, 3000)).toBeLessThan(60);
    expect(
      after.startsWith(
        '{\n  "rules": {\n    "Service0": {\n      "GET": "authenticated",\n      "POST": ["ada"]\n    },',
      ),
    ).toBe(true);
    expect(JSON.parse(after)).toMatchObject({ rules: { Service2999: { POST: ['ada'] } } });
  });
});

/** The source texts of all siblings along a path, in order. */
function besides(source: string, path: ConfigEdit['path']): readonly string[] {
  const found: string[] = [];
  let node = parseTree(source);
  for (const name of path) {
    let next: Node | undefined;
    for (const member of node?.type === 'object' ? (node.children ?? []) : []) {
      if (member.children?.[0]?.value === name) next = member.children[1];
      else found.push(source.slice(member.offset, member.offset + member.length));
    }
    node = next;
  }
  return found;
}
