import fc from 'fast-check';
import { mergePatch, Type } from '../../../src/platform';
import { Validators } from '../../../src/modules/content-validation';
import { patchOf } from '../../../src/modules/hosting/patch-schema';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf, sendJson } from '../../factories/requests';
import { HOSTING } from '../../factories/start-refusal';
import { BooksModule } from '../../fixtures/shelves/books-module';

/** RFC 7396, appendix A. */
const examples: readonly (readonly [original: unknown, patch: unknown, result: unknown])[] = [
  [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
  [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
  [{ a: 'b' }, { a: null }, {}],
  [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
  [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
  [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
  [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
  [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
  [
    ['a', 'b'],
    ['c', 'd'],
    ['c', 'd'],
  ],
  [{ a: 'b' }, ['c'], ['c']],
  [{ a: 'foo' }, null, null],
  [{ a: 'foo' }, 'bar', 'bar'],
  [{ e: null }, { a: 1 }, { e: null, a: 1 }],
  [[1, 2], { a: 'b', c: null }, { a: 'b' }],
  [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
];

/** The pseudo-code of RFC 7396, 2, word for word. */
function pseudoCode(Target: unknown, Patch: unknown): unknown {
  if (typeof Patch === 'object' && Patch !== null && !Array.isArray(Patch)) {
    const isObject = typeof Target === 'object' && Target !== null && !Array.isArray(Target);
    const result: Record<string, unknown> = isObject ? { ...Target } : {};
    for (const [Name, Value] of Object.entries(Patch)) {
      if (Value === null) {
        if (Object.hasOwn(result, Name)) Reflect.deleteProperty(result, Name);
      } else result[Name] = pseudoCode(result[Name], Value);
    }
    return result;
  }
  return Patch;
}

/** Values whose members meet now and then, so that there is something to merge. */
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.integer(),
    fc.string(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c', 'd'), tie('value')),
  ),
}));

describe('mergePatch', () => {
  it.each(examples)('makes of %j by %j what the RFC says', (original, patch, result) => {
    expect(mergePatch(original, patch)).toEqual(result);
  });

  it('is the RFC’s pseudo-code', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        expect(mergePatch(target, patch)).toEqual(pseudoCode(target, patch));
      }),
      { numRuns: 1_000 },
    );
  });

  it('changes neither of the two, and a second time nothing more', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  it('makes a member of __proto__, and no prototype', () => {
    const patch: unknown = JSON.parse('{"__proto__":{"admin":true}}');
    const merged = mergePatch({}, patch) as object;
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    expect(Object.keys(merged)).toEqual(['__proto__']);
  });
});

describe('the schema of a merge patch', () => {
  const schema = Type.Object(
    {
      name: Type.String({ minLength: 2 }),
      born: Type.Optional(Type.Integer()),
      kind: Type.Optional(Type.Union([Type.Literal('a'), Type.Literal('b')])),
      tags: Type.Optional(Type.Array(Type.Object({ text: Type.String() }))),
      home: Type.Optional(Type.Object({ street: Type.String(), flat: Type.Optional(Type.String()) })),
      nothing: Type.Optional(Type.Null()),
    },
    { additionalProperties: false },
  );
  const validate = new Validators().forPatch(patchOf(schema));

  it.each([
    [{ name: 'Al' }],
    [{ born: null }],
    [{ kind: null, home: null, tags: null, nothing: null }],
    [{ kind: 'a' }],
    [{ home: { flat: null } }],
    [{ home: {} }],
    [{ tags: [{ text: 'x' }] }],
  ])('takes %j', (patch) => {
    expect(validate(patch)).toEqual({ value: patch });
  });

  it.each([
    [{ name: null }, '/name'],
    [{ name: 'A' }, '/name'],
    [{ kind: 'c' }, '/kind'],
    [{ born: 'long ago' }, '/born'],
    [{ home: { street: null } }, '/home/street'],
    [{ tags: [{}] }, '/tags/0/text'],
    [{ tags: [null] }, '/tags/0'],
    [{ other: null }, '/other'],
    [{}, ''],
  ])('refuses %j', (patch, pointer) => {
    expect(validate(patch)).toEqual({
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown,
    });
  });
});

describe('PATCH of an entity', () => {
  const module_ = new BooksModule();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [module_] })));
  afterAll(() => platform.stop());
  beforeEach(() => {
    const binding = { colour: 'blue', ribbon: 'red' };
    module_.books.kept.set('moby', { book_id: 'moby', title: 'Moby-Dick', pages: 635, binding, revision: 7 });
  });
  const patch = (body: unknown, type: string) =>
    platform.request('/books/moby', sendJson(body, 'PATCH', { 'Content-Type': type }));

  it.each(['application/merge-patch+json', 'application/json', 'application/vnd.shelves.v1+json'])(
    'takes a merge patch as %s: what is null goes, what is not there stays',
    async (type) => {
      const answer = await patch({ pages: null, binding: { ribbon: null } }, type);
      expect(answer.status).toBe(200);
      expect(await answer.json()).toEqual({
        book_id: 'moby',
        title: 'Moby-Dick',
        binding: { colour: 'blue' },
        revision: 8,
      });
    },
  );

  it('does not take away what every entity has', async () => {
    const answer = await patch({ title: null }, 'application/merge-patch+json');
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer: '/title', keyword: 'type', message: 'must be string' },
    ]);
  });

  it('takes no other kind of patch, and a merge patch nowhere else', async () => {
    expect((await patch([{ op: 'remove', path: '/pages' }], 'application/json-patch+json')).status).toBe(415);
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const put = await platform.request('/books/moby', sendJson({ title: 'x' }, 'PUT', headers));
    expect(put.status).toBe(415);
  });
});
