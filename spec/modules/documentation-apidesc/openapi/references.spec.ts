import fc from 'fast-check';
import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  Type,
  type Module,
  type TSchema,
} from '../../../../src/platform';
import { createTestApplication } from '../../../../src/testing';
import { resolveReference } from '../../../../src/framework';

type Schema = Readonly<Record<string, unknown>>;

const names = ['Base', 'Card', 'Sepa', 'Voucher'];
const reference = fc.constantFrom(...names.map((name) => `#/schemas/${name}`));
const annotation = fc.constantFrom({}, { readOnly: true }, { writeOnly: true }, { default: 'a' });

/** An object with members that requests or responses do not have, in part by `allOf`. */
const object: fc.Arbitrary<Schema> = fc
  .tuple(annotation, annotation, fc.boolean())
  .map(([first, second, isComposed]) => {
    const own = {
      type: 'object',
      required: ['kind', 'first'],
      properties: { kind: { type: 'string' }, first: { type: 'string', ...first } },
    };
    const part = { type: 'object', properties: { second: { type: 'string', ...second } } };
    return isComposed ? { allOf: [own, part] } : own;
  });

const mapping = fc.dictionary(fc.constantFrom('card', 'sepa', 'other'), reference);

const union = fc
  .tuple(fc.constantFrom('oneOf', 'anyOf'), fc.uniqueArray(reference, { minLength: 1 }), mapping, object)
  .map(([keyword, branches, targets, inline]) => ({
    [keyword]: [...branches.map(($ref) => ({ $ref })), inline],
    discriminator: { propertyName: 'kind', mapping: targets },
  }));

const parent = fc
  .tuple(object, mapping)
  .map(([own, targets]) => ({ ...own, discriminator: { propertyName: 'kind', mapping: targets } }));

const within = (schema: Schema): readonly Schema[] => [
  schema,
  {
    type: 'object',
    properties: { one: schema, list: { type: 'array', items: { $ref: '#/schemas/Union' } } },
  },
  { allOf: [{ $ref: '#/schemas/Parent' }, { properties: { own: { type: 'string', writeOnly: true } } }] },
];

/** References of a document, with those of mappings, that resolve to nothing. */
function danglingIn(document: Schema): readonly string[] {
  const found: string[] = [];
  JSON.stringify(document, (key, value: unknown) => {
    if (typeof value === 'string' && value.startsWith('#/')) {
      if (resolveReference(document, value) === undefined) found.push(`${key}: ${value}`);
    }
    return value;
  });
  return found;
}

const shared = (name: string): TSchema => Type.Unsafe({ $ref: `#/schemas/${name}` });

function apiOf(schemas: Readonly<Record<string, Schema>>): Module {
  const used = shared('Used');
  const fields = used as never;
  const handler = (): object => ({});
  const Used = defineRpcService({
    route: '/used',
    unknown_members: 'refuse',
    methods: {
      GET: defineProcedure({ response: used, handler }),
      POST: defineProcedure({ fields, response: shared('Union'), handler }),
      PUT: defineProcedure({ fields: shared('Parent') as never, handler }),
    },
  });
  const Entity = defineRestService({
    route: '/entities[/:id]',
    route_identifier_name: 'id',
    fields: Type.Object({ id: Type.String(), used, list: Type.Array(used) }),
    collection: { GET: {}, POST: {} },
    entity: { GET: {}, PUT: {}, PATCH: {} },
    resource: {
      fetchAll: () => [],
      fetch: () => undefined,
      create: (data: object) => data,
      update: (_id: string, data: object) => data,
      patch: (_id: string, data: object) => data,
    } as never,
  });
  return {
    name: 'pay',
    requires: ['hosting', 'documentation-apidesc'],
    apis: [
      defineApi({ name: 'Pay', versions: { 1: { schemas: schemas as never, services: { Used, Entity } } } }),
    ],
  };
}

async function withDocument(
  schemas: Readonly<Record<string, Schema>>,
  formats: readonly string[],
  check: (document: Schema) => void,
): Promise<void> {
  const application = await createTestApplication({ modules: [apiOf(schemas)] });
  try {
    for (const format of formats) {
      const answer = await application.inject({ path: `/platform/documentation/Pay?format=${format}` });
      check((await answer.json()) as Schema);
    }
  } finally {
    await application.close();
  }
}

it('refers to nothing that a document does not have', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.tuple(object, object, object, object),
      union,
      parent,
      fc.nat({ max: 2 }),
      async ([Base, Card, Sepa, Voucher], Union, Parent, shape) => {
        const Used = within(Union)[shape] ?? Union;
        const schemas = { Base, Card, Sepa, Voucher, Union, Parent, Used };
        await withDocument(schemas, ['apidesc', 'openapi', 'swagger'], (document) => {
          expect(danglingIn(document)).toEqual([]);
        });
      },
    ),
    { numRuns: 6 },
  );
});

it('maps the values of a discriminator to the branches of a response', async () => {
  const member = (kind: string, number: object): Schema => ({
    type: 'object',
    properties: { kind: { const: kind }, number: { type: 'string', ...number } },
  });
  const Used = {
    oneOf: [{ $ref: '#/schemas/Card' }, { $ref: '#/schemas/Sepa' }],
    discriminator: {
      propertyName: 'kind',
      mapping: { card: '#/schemas/Card', sepa: '#/schemas/Sepa', other: '#/schemas/Other' },
    },
  };
  const schemas = {
    Card: member('card', { writeOnly: true }),
    Sepa: member('sepa', {}),
    // Nothing else refers to it.
    Other: member('other', {}),
    Union: Used,
    Parent: member('any', {}),
    Used,
  };
  await withDocument(schemas, ['apidesc'], (document) => {
    expect(document).toMatchObject({
      components: {
        schemas: {
          UsedGetResponse: {
            oneOf: [
              { $ref: '#/components/schemas/CardResponseChoice' },
              { $ref: '#/components/schemas/Sepa' },
            ],
            discriminator: {
              mapping: {
                card: '#/components/schemas/CardResponseChoice',
                sepa: '#/components/schemas/Sepa',
                other: '#/components/schemas/Other',
              },
            },
          },
          CardResponseChoice: { properties: { kind: { const: 'card' } } },
          Other: { properties: { kind: { const: 'other' } } },
        },
      },
    });
  });
});

it('maps the name of a branch that has another name in a response', async () => {
  const pin = {
    type: 'object',
    properties: { kind: { type: 'string' }, pin: { type: 'string', writeOnly: true } },
  };
  const Used = {
    oneOf: [{ $ref: '#/schemas/Card' }, { $ref: '#/schemas/Sepa' }],
    discriminator: { propertyName: 'kind' },
  };
  const schemas = { Card: pin, Sepa: { type: 'object' }, Union: Used, Parent: pin, Used };
  await withDocument(schemas, ['apidesc'], (document) => {
    expect(document).toMatchObject({
      components: {
        schemas: {
          UsedGetResponse: {
            discriminator: { mapping: { Card: '#/components/schemas/CardResponseChoice' } },
          },
        },
      },
    });
  });
});
