import { Type } from '../../../../src/platform';
import { Validators } from '../../../../src/modules/content-validation';
import { requestSchemas, responseSchema } from '../../../../src/modules/hosting/members/schema-variants';
import { closedSchema } from '../../../../src/modules/hosting/schema/closed-schema';
import { mergePatchSchema } from '../../../../src/modules/hosting/schema/patch/patch-schema';

const LENGTH = 3_000;

/** Schemas of which each refers to the next one, as the schemas of a large API do on the way from one to all others. */
const schema = Type.Unsafe<object>({
  type: 'object',
  properties: { next: { $ref: '#/$defs/S0' } },
  $defs: Object.fromEntries(
    Array.from({ length: LENGTH }, (_, at) => {
      const own = { key: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } };
      const next = { anyOf: [{ $ref: `#/$defs/S${(at + 1) % LENGTH}` }, { type: 'null' }] };
      return [
        `S${at}`,
        {
          type: 'object',
          properties: { ...own, size: { type: 'integer' }, next },
          required: ['key', 'secret', 'size'],
        },
      ];
    }),
  ),
});

const DEPTH = 150;

/** Nests a value in members of the chain. */
const nested = (innermost: object, member: object): unknown =>
  Array.from({ length: DEPTH }).reduce<unknown>((next) => ({ ...member, next }), innermost);

const requests = () => requestSchemas(schema, { fillsDefaults: true, readOnlyMembers: 'refuse' });

it.each([
  ['a merge patch', () => mergePatchSchema(schema)!, {}, { size: 1 }, { size: null }],
  [
    'a request',
    () => requests().validated,
    { size: 1, secret: '' },
    { size: 1, secret: '' },
    { size: 1, secret: '', key: '' },
  ],
  ['a response', () => responseSchema(schema), { size: 1, key: '' }, { size: 1, key: '' }, { size: 1 }],
  ['a body without unknown members', () => closedSchema(withoutRequired()), {}, { size: 1 }, { other: 1 }],
])(
  'The schema of %s is derived from a chain of thousands of schemas',
  (_what, derive, member, valid, invalid) => {
    const validate = new Validators().asIs(derive());
    expect('value' in validate(nested(valid, member))).toBe(true);
    expect('errors' in validate(nested(invalid, member))).toBe(true);
  },
);

it('The schema of a merge patch is derived from a chain of thousands of schemas that a condition declares', () => {
  const { $defs } = schema as { readonly $defs?: object };
  const next = { properties: { next: { $ref: '#/$defs/S0' } } };
  const conditional = { type: 'object', properties: {}, dependentSchemas: { kind: next }, $defs };
  const patch = mergePatchSchema(Type.Unsafe(conditional))!;
  const { validated } = requestSchemas(patch, { fillsDefaults: false, readOnlyMembers: 'refuse' });
  const validate = new Validators().asIs(validated);
  expect('errors' in validate({ next: nested({ key: '' }, {}) })).toBe(true);
  expect('value' in validate({ next: nested({ size: 1 }, {}) })).toBe(true);
});

/** The chain without the members that each object requires. */
function withoutRequired() {
  const definitions = Object.entries(schema.$defs as Record<string, object>);
  return {
    ...schema,
    $defs: Object.fromEntries(definitions.map(([name, one]) => [name, { ...one, required: [] }])),
  };
}

/** A chain of which each schema refers to the next one from within others. @param own the members of a schema */
function chainOf(length: number, within: (next: object) => object, own: (at: number) => object) {
  const $defs = Object.fromEntries(
    Array.from({ length }, (_, at): [string, unknown] => {
      const next = at + 1 < length ? { next: within({ $ref: `#/$defs/S${at + 1}` }) } : {};
      return [`S${at}`, { type: 'object', properties: { ...own(at), ...next } }];
    }),
  );
  return Type.Unsafe<object>({ $ref: '#/$defs/S0', $defs });
}

const definitionsOf = (derived: object | undefined) => Object.keys((derived as { $defs: object }).$defs);

it('Schemas of a long chain that do not change keep their names', () => {
  const key = { key: { type: 'string', readOnly: true } };
  const chain = chainOf(
    1_000,
    (next) => next,
    (at) => (at === 0 ? key : {}),
  );
  const { documented } = requestSchemas(chain, { fillsDefaults: true, readOnlyMembers: 'ignore' });
  expect(definitionsOf(documented).filter((name) => name.endsWith('Request'))).toEqual(['S0Request']);
});

const repeated = (count: number, wrap: (inner: object) => object) => (innermost: object) =>
  Array.from({ length: count }).reduce<object>((inner) => wrap(inner), innermost);

it.each([
  ['lists', repeated(8, (items) => ({ type: 'array', items }))],
  ['unions', repeated(8, (inner) => ({ anyOf: [inner, { type: 'null' }] }))],
  ['objects', repeated(12, (inner) => ({ type: 'object', properties: { inner } }))],
])(
  'Schemas are derived from a chain of schemas that refer to the next one deep within %s',
  (_what, within) => {
    const own = { key: { type: 'string', readOnly: true }, secret: { type: 'string', writeOnly: true } };
    const chain = chainOf(1_000, within, () => own);
    const { documented } = requestSchemas(chain, { fillsDefaults: true, readOnlyMembers: 'ignore' });
    const derived = [documented, responseSchema(chain), closedSchema(chain), mergePatchSchema(chain)];
    for (const one of derived) expect(definitionsOf(one)).toHaveLength(1_000);
  },
);

it('The schema of a merge patch is derived from a chain of closed unions within each other', () => {
  const length = 150;
  const closedUnion = (member: object) => ({
    oneOf: [
      { type: 'object', properties: { next: member } },
      { type: 'object', properties: { size: { type: 'integer' } } },
    ],
    unevaluatedProperties: false,
  });
  const $defs = Object.fromEntries(
    Array.from({ length }, (_, at): [string, object] => [
      `S${at}`,
      closedUnion(
        closedUnion(at + 1 < length ? { $ref: `#/$defs/S${at + 1}` } : { type: 'object', properties: {} }),
      ),
    ]),
  );
  const schema = Type.Unsafe<object>({ type: 'object', properties: { next: { $ref: '#/$defs/S0' } }, $defs });
  const patch = mergePatchSchema(schema);
  // One for each definition, and one for the union within it.
  expect(definitionsOf(patch)).toHaveLength(2 * length);
  const validate = new Validators().asIs(patch!);
  const within = repeated(8, (next) => ({ next }));
  expect('value' in validate(within({ next: null, size: 1 }))).toBe(true);
  expect('errors' in validate(within({ next: null, size: '' }))).toBe(true);
});
