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
  it('replaces a value, and nothing around it', () => {
    expect(set(text, ['server', 'port'], 9000)).toBe(text.replace('8080', '9000'));
  });

  it('adds a key behind the others of its map, laid out like them', () => {
    expect(set(text, ['server', 'base_url'], '/x')).toBe(
      text.replace('"127.0.0.1"\n', '"127.0.0.1",\n    "base_url": "/x"\n'),
    );
    expect(set(text, ['lists', 'two'], ['c'])).toBe(text.replace('[] }', '[], "two": ["c"] }'));
  });

  it('makes the maps that a path lacks', () => {
    expect(set(text, ['auth', 'map', 'Atlas-v1'], 'basic')).toBe(
      text.replace('[] }\n', '[] },\n  "auth": {\n    "map": {\n      "Atlas-v1": "basic"\n    }\n  }\n'),
    );
  });

  it('puts a map in the place of what is none', () => {
    expect(set('{"a": null}', ['a', 'b'], 1)).toBe('{"a": {"b": 1}}');
    expect(set('{"a": 5, "c": 2}', ['a', 'b', 'd'], 1)).toBe('{"a": {"b": {"d": 1}}, "c": 2}');
  });

  it('takes a key out with its comma: the first, one between, the last, the only one', () => {
    const three = '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}\n';
    expect(set(three, ['a'], undefined)).toBe('{\n  "b": 2,\n  "c": 3\n}\n');
    expect(set(three, ['b'], undefined)).toBe('{\n  "a": 1,\n  "c": 3\n}\n');
    expect(set(three, ['c'], undefined)).toBe('{\n  "a": 1,\n  "b": 2\n}\n');
    expect(set('{\n  "a": 1\n}\n', ['a'], undefined)).toBe('{}\n');
  });

  it('leaves the text alone where there is nothing to take out', () => {
    expect(set(text, ['server', 'none'], undefined)).toBe(text);
    expect(set(text, ['none', 'at', 'all'], undefined)).toBe(text);
  });

  it('writes null, which takes away what lower layers say', () => {
    expect(set('{"a": {"b": 1}}', ['a'], null)).toBe('{"a": null}');
  });

  it('begins a new file', () => {
    expect(set(undefined, ['a', 'b'], [])).toBe('{\n  "a": {\n    "b": []\n  }\n}\n');
    expect(editText(undefined, [])).toBe('{}\n');
  });

  it('keeps tabs, the ends of lines, a mark of the byte order, $schema, and a last line without end', () => {
    const odd = '\uFEFF{\r\n\t"$schema": "../schema.json",\r\n\t"a": {\r\n\t\t"b": 1\r\n\t}\r\n}';
    expect(set(odd, ['a', 'c'], { d: 2 })).toBe(
      odd.replace('1\r\n', '1,\r\n\t\t"c": {\r\n\t\t\t"d": 2\r\n\t\t}\r\n'),
    );
  });

  it('knows keys that look like numbers, or like parts of objects', () => {
    expect(set('{"versions":{"1":{}}}', ['versions', '1', 'x'], 1)).toBe('{"versions":{"1":{"x":1}}}');
    expect(set('{}', ['__proto__', 'toString'], 1)).toContain('"__proto__"');
  });

  it('changes, adds and takes out members of lists', () => {
    expect(set(text, ['lists', 'one', 1], 'B')).toBe(text.replace('"b"', '"B"'));
    expect(set(text, ['lists', 'one', 2], 'c')).toBe(text.replace('"b"]', '"b", "c"]'));
    expect(set(text, ['lists', 'one', 0], undefined)).toBe(text.replace('"a", ', ''));
  });

  it('refuses a text that is no configuration, with line and column', () => {
    expect(() => set('{\n  "a": 1,\n}', ['a'], 2)).toThrow(ConfigurationError);
    expect(() => set('{\n  "a": 1,\n}', ['a'], 2)).toThrow(
      /^config\/autoload\/local\.json:3:1: not well-formed/,
    );
    expect(() => set('[]', ['a'], 2)).toThrow('must hold a JSON object');
  });

  it('refuses a key that stands twice: readers differ in which one counts', () => {
    expect(() => set('{\n  "a": 1,\n  "b": {},\n  "a": 2\n}', ['a'], 3)).toThrow(
      'config/autoload/local.json:4:3: the key "a" is a duplicate. Remove one of the two.',
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

/** What an edit means, on values. */
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
  it('says what it was to say, and nothing else', () => {
    fc.assert(
      fc.property(file, edit, (before, { path, value }) => {
        const known = JSON.parse(before) as ConfigObject;
        const isNothing = value === undefined && valueAt(known, path) === undefined;
        const wanted = isNothing ? known : edited(known, path, value);
        const after = editText(before, [{ path, value }]);
        expect(isDeepStrictEqual(JSON.parse(after), wanted)).toBe(true);
        // The order of the keys too.
        expect(JSON.stringify(JSON.parse(after))).toBe(JSON.stringify(wanted));
      }),
      { numRuns: 2000 },
    );
  });

  it('leaves what it does not edit as it is to the byte', () => {
    fc.assert(
      fc.property(file, edit, (before, one) => {
        const after = editText(before, [one]);
        expect(besides(after, one.path)).toEqual(besides(before, one.path));
        expect(/[\r\n]?$/.exec(after)?.[0]).toBe(/[\r\n]?$/.exec(before)?.[0]);
      }),
      { numRuns: 2000 },
    );
  });

  it('can be made again without changing anything', () => {
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
  it('come to the same at once as one after the other', () => {
    fc.assert(
      fc.property(file, fc.array(edit, { maxLength: 6 }), (before, edits) => {
        const singly = edits.reduce((text, one) => editText(text, [one]), before);
        expect(JSON.parse(editText(before, edits))).toEqual(JSON.parse(singly));
      }),
      { numRuns: 1000 },
    );
  });

  it('read the text a few times, however many they are', () => {
    const services = Array.from({ length: 3000 }, (_, at) => `Service${at}`);
    const before = JSON.stringify(
      { rules: Object.fromEntries(services.map((name) => [name, { GET: 'guest' }])) },
      null,
      2,
    );
    const start = performance.now();
    const after = editText(
      before,
      services.flatMap((name, at) => [
        { path: ['rules', name, 'GET'], value: at % 2 === 0 ? 'authenticated' : undefined },
        { path: ['rules', name, 'POST'], value: ['ada'] },
      ]),
    );
    // Reading it once for each of 6,000 edits would take a minute.
    expect(performance.now() - start).toBeLessThan(5000);
    expect(
      after.startsWith(
        '{\n  "rules": {\n    "Service0": {\n      "GET": "authenticated",\n      "POST": ["ada"]\n    },',
      ),
    ).toBe(true);
    expect(JSON.parse(after)).toMatchObject({ rules: { Service2999: { POST: ['ada'] } } });
  });
});

/** The source texts of all members that stand beside a path, from the top down, in their order. */
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
