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

  it('yields a chunk for each member of a split object', () => {
    const many = Array.from({ length: 17 }, (_, at) => at);
    expect([...jsonChunks({ a: many, c: {}, d: undefined, e: [] }, 2)]).toEqual([
      '{"a":',
      '[0',
      ...many.slice(1).map((one) => `,${one}`),
      ']',
      ',"c":{}',
      ',"e":[]',
      '}',
    ]);
  });

  it('yields a small container of the last level as one chunk, and all others member by member', () => {
    const withMembers = (count: number): object =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));
    const chunksOf = (container: unknown): number => [...jsonChunks({ container }, 2)].length - 1;
    expect(chunksOf(Array.from({ length: 16 }, () => withMembers(8)))).toBe(1);
    expect(chunksOf([[1, 2], null])).toBe(1);
    expect(chunksOf(withMembers(16))).toBe(1);
    expect(chunksOf(Array.from({ length: 17 }, () => withMembers(1)))).toBe(19);
    expect(chunksOf(withMembers(17))).toBe(19);
    expect(chunksOf([withMembers(9), 1])).toBe(4);
    expect(chunksOf([{ toJSON: () => withMembers(20) }, 1])).toBe(4);
    expect([...jsonChunks({ a: [[1]] }, 3)]).toEqual(['{"a":', '[[1]', ']', '}']);
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
