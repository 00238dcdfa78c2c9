import fc from 'fast-check';
import { jsonChunks, jsonText } from '../../../../src/framework/view/json/json-text';

describe('jsonText()', () => {
  it('returns the result of JSON.stringify', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => expect(jsonText(value)).toBe(JSON.stringify(value))));
  });

  it.each([
    [undefined, 'null'],
    [() => 1, 'null'],
    [new Date(0), '"1970-01-01T00:00:00.000Z"'],
    [{ a: undefined, b: NaN }, '{"b":null}'],
    [{ map: new Map([['a', 1]]), set: new Set([1]) }, '{"map":{},"set":{}}'],
  ])('serializes %p as %s', (content, text) => {
    expect(jsonText(content)).toBe(text);
  });

  it('names both ends of a circular reference', () => {
    const parent: Record<string, unknown> = { name: 'a' };
    parent['chil/dren'] = [{}, { parent }];
    expect(() => jsonText({ first: parent })).toThrow(
      'The response cannot be serialized as JSON: /first/chil~1dren/1/parent is a circular reference to /first.',
    );
    expect(() => jsonText(parent)).toThrow('/chil~1dren/1/parent is a circular reference to the root.');
  });

  it('detects circular references through toJSON', () => {
    const node = { toJSON: (): unknown => ({ next: node }) };
    expect(() => jsonText([node])).toThrow('/0/next is a circular reference to /0.');
  });

  it('explains that JSON does not support BigInt', () => {
    expect(() => jsonText({ ok: 1, list: [1, 2n] })).toThrow(
      '/list/1 is a BigInt, which JSON does not support. Use a number or a string.',
    );
    expect(() => jsonText(1n)).toThrow('the root is a BigInt');
  });

  it('locates a getter that throws', () => {
    const content = {
      list: [
        {
          get price(): number {
            throw new Error('sold out');
          },
        },
      ],
    };
    expect(() => jsonText(content)).toThrow('/list/0 throws when it is read: Error: sold out');
  });

  it('rejects endless content', () => {
    // Generated while it is read: a finite array of any depth is text on Node 26.
    const endless = (): object => ({
      get next(): object {
        return endless();
      },
    });
    expect(() => jsonText(endless())).toThrow('is nested too deeply');
    const generated = (): object => ({ toJSON: () => ({ next: generated() }) });
    expect(() => jsonText(generated())).toThrow('is nested too deeply');
  });
});

describe('jsonChunks()', () => {
  const odd = fc.constantFrom<unknown>(
    undefined,
    () => 1,
    Symbol('a'),
    new Date(0),
    new Map([['a', 1]]),
    Object('boxed'),
    { toJSON: () => undefined },
    { toJSON: (key: unknown) => ({ key: typeof key, inner: [undefined, 1] }) },
    { toJSON: () => ({ toJSON: () => 'never called', b: 2 }) },
    Object.assign(Object.create(null), { bare: 1 }),
    new (class Own {
      readonly member = [1];
    })(),
  );
  const { content } = fc.letrec((tie) => ({
    content: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue(),
      odd,
      fc.array(tie('content')),
      fc.dictionary(fc.string(), tie('content')),
    ),
  }));

  it('yields the result of JSON.stringify, for any number of levels', () => {
    fc.assert(
      fc.property(content, fc.integer({ min: 0, max: 6 }), (value, levels) => {
        expect([...jsonChunks(value, levels)].join('')).toBe(jsonText(value));
      }),
      { numRuns: 1_000 },
    );
  });

  it('writes the text of JSON.rawJSON, which Node has from version 22 on, as it is', () => {
    const { rawJSON = Number } = JSON as { rawJSON?: (text: string) => unknown };
    const content = { exact: rawJSON('0.10'), list: [rawJSON('"a"')] };
    for (const levels of [1, 4]) expect([...jsonChunks(content, levels)].join('')).toBe(jsonText(content));
    expect([...jsonChunks(rawJSON('12'), 1)]).toEqual(['12']);
  });

  it('splits containers down to a level', () => {
    const [a, b] = ['a'.repeat(1_024), 'b'.repeat(1_024)];
    expect([...jsonChunks({ list: [a, b], after: 1 }, 1)]).toEqual([
      `{"list":["${a}","${b}"]`,
      ',"after":1}',
    ]);
    expect([...jsonChunks({ list: [a, b], after: 1 }, 2)]).toEqual([
      `{"list":["${a}"`,
      `,"${b}"`,
      '],"after":1}',
    ]);
  });

  it('writes small members together, also those of different containers', () => {
    expect([...jsonChunks({ a: [1, { b: 2 }], c: {}, d: undefined, e: [] }, 2)]).toEqual([
      '{"a":[1,{"b":2}],"c":{},"e":[]}',
    ]);
    const chunks = [...jsonChunks(Array(1_000).fill(['0123', { a: [] }]), 3)];
    expect(chunks.length).toBeLessThan(20);
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_040);
  });

  it('yields large members one by one, however few there are', () => {
    const member = { values: Array.from({ length: 1_000 }, (_, at) => at) };
    const lengths = [...jsonChunks({ fields: [member, member, 1, member] }, 2)].map(({ length }) => length);
    expect(lengths.filter((length) => length > 1_024)).toHaveLength(3);
    expect(Math.max(...lengths)).toBeLessThan(1.5 * JSON.stringify(member).length);
  });

  it('yields at the latest after 1,024 characters of small members', () => {
    const chunks = [...jsonChunks(Array(10_000).fill('0123'), 1)];
    expect(Math.max(...chunks.map(({ length }) => length))).toBeLessThan(1_040);
  });

  it('yields converted members one by one, because a conversion may take long', () => {
    expect([...jsonChunks([{ toJSON: () => 1 }, { toJSON: () => 2 }, 3, 4], 1)]).toEqual([
      '[1',
      ',2',
      ',3,4]',
    ]);
    expect([...jsonChunks([{ toJSON: () => ({ a: 1 }) }, { b: { toJSON: () => [2] } }], 3)]).toEqual([
      '[{',
      '"a":1},{"b":[',
      '2]}]',
    ]);
  });

  it('throws the same error for a circular reference', () => {
    const circle: Record<string, unknown> = {};
    circle.inner = { circle };
    for (const levels of [0, 1, 3]) {
      expect(() => [...jsonChunks(circle, levels)]).toThrow(
        '/inner/circle is a circular reference to the root.',
      );
    }
  });
});
