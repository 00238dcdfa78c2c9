import { Type } from '../../../../src/platform';
import { Validators } from '../../../../src/modules/content-validation';
import { requestSchemas, responseSchema } from '../../../../src/modules/hosting/members/schema-variants';
import { closedSchema } from '../../../../src/modules/hosting/schema/closed-schema';
import { mergePatchSchema } from '../../../../src/modules/hosting/schema/patch-schema';

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

/** The chain without the members that each object requires. */
function withoutRequired() {
  const definitions = Object.entries(schema.$defs as Record<string, object>);
  return {
    ...schema,
    $defs: Object.fromEntries(definitions.map(([name, one]) => [name, { ...one, required: [] }])),
  };
}
