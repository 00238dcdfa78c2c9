import fc from 'fast-check';
import { mergePatch, Type } from '../../../../../src/platform';
import { Validators } from '../../../../../src/modules/content-validation';
import { patchedEntity } from '../../../../../src/modules/hosting/rest/patch/patched-entity';
import { mergePatchSchema } from '../../../../../src/modules/hosting/schema/patch/patch-schema';
import { startTestPlatform, type TestPlatform } from '../../../../factories/platform';
import { bodyOf, sendJson } from '../../../../factories/http/requests';
import { HOSTING } from '../../../../factories/processes/start-refusal';
import { BooksModule } from '../../../../fixtures/shelves/books-module';

const atTop = () => '';

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

/** The pseudo-code of RFC 7396, section 2, word for word. */
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

/** Values whose member names collide often, so that there is something to merge. */
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
  it.each(examples)('turns %j with %j into the result of the RFC', (original, patch, result) => {
    expect(mergePatch(original, patch)).toEqual(result);
  });

  it('equals the pseudo-code of the RFC', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        expect(mergePatch(target, patch)).toEqual(pseudoCode(target, patch));
      }),
      { numRuns: 1_000 },
    );
  });

  it('modifies neither argument, and is idempotent', () => {
    fc.assert(
      fc.property(value, value, (target, patch) => {
        const before = JSON.stringify([target, patch]);
        const once = mergePatch(target, patch);
        expect(mergePatch(once, patch)).toEqual(once);
        expect(JSON.stringify([target, patch])).toBe(before);
      }),
    );
  });

  it('turns a class instance into a plain object without its methods', () => {
    class Book {
      readonly title: string;
      readonly pages: number | undefined = 474;
      constructor(title: string) {
        this.title = title;
      }
      shown(): string {
        return this.title;
      }
    }
    const merged = mergePatch(new Book('Emma'), { title: 'Emma, again' });
    const { title, pages }: { readonly title: string; readonly pages: number | undefined } = merged;
    expect({ title, pages }).toEqual({ title: 'Emma, again', pages: 474 });
    expect(Object.getPrototypeOf(merged)).toBe(Object.prototype);
    // @ts-expect-error -- there is none, and the types say so
    expect(merged.shown).toBeUndefined();
  });

  it('creates an own member from __proto__, not a prototype', () => {
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
  const validate = new Validators().forPatch(mergePatchSchema(schema)!);

  it.each([
    [{ name: 'Al' }],
    [{ born: null }],
    [{ kind: null, home: null, tags: null, nothing: null }],
    [{ kind: 'a' }],
    [{ home: { flat: null } }],
    [{ home: {} }],
    [{ tags: [{ text: 'x' }] }],
    [{}],
  ])('accepts %j', (patch) => {
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
  ])('rejects %j', (patch, pointer) => {
    expect(validate(patch)).toEqual({
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown,
    });
  });
});

it('types the members of a merge patch', () => {
  const sized = Type.Object({ size: Type.Optional(Type.Integer()) });
  expect(new Validators().forPatch(mergePatchSchema(sized)!)({ size: 'x' })).toEqual({
    errors: [{ pointer: '/size', keyword: 'type', message: 'must be integer or null' }],
  });
});

describe('the schema of a merge patch of interdependent members', () => {
  const schema = Type.Object(
    {
      from: Type.Optional(Type.Integer()),
      to: Type.Optional(Type.Integer()),
      kind: Type.Optional(Type.String()),
    },
    {
      dependentRequired: { to: ['from'] },
      anyOf: [{ required: ['from'] }, { required: ['kind'] }],
      if: { required: ['kind'] },
      then: { required: ['to'] },
      minProperties: 2,
    },
  );
  const patches = new Validators().forPatch(mergePatchSchema(schema)!);
  const whole = new Validators().forBody(schema);

  it('leaves rules about several members to the whole entity', () => {
    expect(patches({ to: 7 })).toEqual({ value: { to: 7 } });
    expect(patches({ kind: 'a' })).toEqual({ value: { kind: 'a' } });
    expect(patches({ to: 'x' })).toHaveProperty('errors');
  });

  it('validates the whole entity after merging', () => {
    expect(patchedEntity({ from: 1, to: 2 }, { to: 7 }, whole, atTop)).toEqual({ from: 1, to: 7 });
    expect(() => patchedEntity({ from: 1, to: 2 }, { from: null }, whole, atTop)).toThrow(
      expect.objectContaining({ status: 422 }) as Error,
    );
  });

  it('keeps null for a required member that is nullable', () => {
    const note = Type.Union([Type.String(), Type.Null()]);
    const schema = Type.Object({
      note,
      inner: Type.Object({ 'a/b': note, other: Type.Optional(note) }),
      n: Type.Integer(),
    });
    const isEntity = new Validators().forBody(schema);
    const entity = { note: 'a', inner: { 'a/b': 'c', other: 'd' }, n: 1 };
    expect(patchedEntity(entity, { note: null }, isEntity, atTop)).toEqual({ ...entity, note: null });
    expect(patchedEntity(entity, { inner: { 'a/b': null, other: null } }, isEntity, atTop)).toEqual({
      ...entity,
      inner: { 'a/b': null },
    });
    expect(() => patchedEntity(entity, { note: null, n: null }, isEntity, atTop)).toThrow(
      expect.objectContaining({
        extensions: { errors: [{ pointer: '/n', keyword: 'type', message: 'must be integer' }] },
      }) as Error,
    );
    expect(entity).toEqual({ note: 'a', inner: { 'a/b': 'c', other: 'd' }, n: 1 });
  });
});

describe('a patched entity', () => {
  const entities = Type.Object({
    name: Type.String({ minLength: 1 }),
    size: Type.Optional(Type.Integer({ minimum: 0 })),
    note: Type.String({ default: '' }),
    home: Type.Optional(Type.Object({ street: Type.String(), flat: Type.Optional(Type.Integer()) })),
    tags: Type.Array(Type.Object({ text: Type.String({ default: 'none' }) }), { default: [] }),
  });
  const validators = new Validators();
  const isEntity = validators.forBody(entities);
  const isStillEntity = validators.asIs(entities);
  const entity = fc.record(
    {
      name: fc.string({ minLength: 1 }),
      size: fc.nat(),
      note: fc.string(),
      home: fc.record({ street: fc.string(), flat: fc.integer() }, { requiredKeys: ['street'] }),
      tags: fc.array(fc.record({ text: fc.string() }), { maxLength: 2 }),
    },
    { requiredKeys: ['name', 'note', 'tags'] },
  );
  const patch = fc.record(
    {
      name: fc.oneof(fc.string(), fc.constant(null)),
      size: fc.oneof(fc.integer(), fc.constant(null)),
      note: fc.oneof(fc.string(), fc.constant(null)),
      home: fc.oneof(
        fc.record({ street: fc.string(), flat: fc.constant(null) }, { requiredKeys: [] }),
        fc.constant(null),
      ),
      tags: fc.oneof(fc.array(fc.constant({}), { maxLength: 2 }), fc.constant(null)),
    },
    { requiredKeys: [] },
  );

  it('is valid, or the patch is rejected and the entity unchanged', () => {
    fc.assert(
      fc.property(entity, patch, (before, change) => {
        const frozen = deepFrozen(structuredClone(before));
        try {
          const after = patchedEntity(frozen, deepFrozen(structuredClone(change)), isEntity, atTop);
          expect(isStillEntity(after)).toEqual({ value: after });
        } catch (error) {
          expect(error).toMatchObject({ status: 422 });
          expect(isEntity(mergePatch(structuredClone(before), change))).toHaveProperty('errors');
        }
        expect(frozen).toEqual(before);
      }),
      { numRuns: 1_000 },
    );
  });

  it('keeps values that are not JSON', () => {
    const at = new Date();
    const made = patchedEntity({ name: 'a', at }, { note: 'b' }, isEntity, atTop);
    expect(made).toEqual({ name: 'a', note: 'b', tags: [], at });
    expect((made as { at: Date }).at).toBe(at);
  });

  it('is validated as clients see it: a Date is a string', () => {
    const dated = new Validators().forBody(
      Type.Object({ at: Type.String({ format: 'date-time' }), n: Type.Integer() }),
    );
    const at = new Date(0);
    expect(patchedEntity({ at, n: 1 }, { n: 2 }, dated, atTop)).toEqual({ at, n: 2 });
    expect(() => patchedEntity({ at: new Map(), n: 1 }, { n: 2 }, dated, atTop)).toThrow(
      'The body has an error',
    );
    expect(() => patchedEntity({ at: 1n, n: 1 }, { n: 2 }, dated, atTop)).toThrow('The body has an error');
  });
});

function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(value).forEach(deepFrozen);
  return Object.freeze(value);
}

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
    'accepts a merge patch as %s: null removes, missing members stay',
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

  it('does not remove required members', async () => {
    const answer = await patch({ title: null }, 'application/merge-patch+json');
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer: '/title', keyword: 'type', message: 'must be string' },
    ]);
  });

  it('rejects a valid patch whose result is invalid', async () => {
    const { binding, ...unbound } = module_.books.kept.get('moby')!;
    expect(binding).toBeDefined();
    module_.books.kept.set('moby', unbound);
    const answer = await patch({ binding: { ribbon: 'red' } }, 'application/merge-patch+json');
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer: '/binding/colour', keyword: 'required', message: 'is required' },
    ]);
    expect(module_.books.kept.get('moby')).toBe(unbound);
  });

  it('points to the item of a list whose result would be invalid', async () => {
    module_.books.kept.set('emma', { book_id: 'emma', title: 'Emma', revision: 1 });
    const patches = [
      { book_id: 'moby', binding: { ribbon: 'green' } },
      { book_id: 'emma', binding: { ribbon: 'green' } },
    ];
    const answer = await platform.request('/books', sendJson(patches, 'PATCH'));
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer: '/1/binding/colour', keyword: 'required', message: 'is required' },
    ]);
  });

  it('accepts no other kind of patch, and merge patches for no other method', async () => {
    const refused = await patch([{ op: 'remove', path: '/pages' }], 'application/json-patch+json');
    expect([refused.status, refused.headers.get('accept-patch')]).toEqual([
      415,
      refused.headers.get('accept'),
    ]);
    expect(refused.headers.get('accept-patch')).toContain('application/merge-patch+json');
    const headers = { 'Content-Type': 'application/merge-patch+json' };
    const put = await platform.request('/books/moby', sendJson({ title: 'x' }, 'PUT', headers));
    expect([put.status, put.headers.get('accept-patch')]).toEqual([415, null]);
  });

  it.each([
    [
      'an entity',
      '/books/moby',
      'application/json, application/vnd.shelves.v1+json, application/merge-patch+json',
    ],
    ['a list', '/books', 'application/json, application/vnd.shelves.v1+json'],
  ])('lists the media types of patches in the response to OPTIONS: %s', async (_, path, types) => {
    const answer = await platform.request(path, { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('accept-patch')]).toEqual([204, types]);
  });
});
