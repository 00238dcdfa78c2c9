import { defineApi, Type, type ConfigObject } from '../../../../src/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';

const fields = Type.Object({ id: Type.String() });
const thing = {
  route: '/things[/:id]',
  route_identifier_name: 'id',
  fields,
  collection: { GET: {} },
  resource: { fetchAll: () => [], patch: () => ({ id: '1' }), patchList: () => [] },
};

/** As plain JavaScript would declare it. */
const refusalOf = (changes: object, local: ConfigObject = {}): Promise<string> => {
  const definition = { name: 'Things', versions: { 1: { services: { Thing: { ...thing, ...changes } } } } };
  const apis = [defineApi(definition)];
  return startRefusal({ modules: HOSTING, extra: [{ name: 'things', requires: ['hosting'], apis }], local });
};
const query = (properties: Parameters<typeof Type.Object>[0]) => Type.Object(properties);
const WHERE = 'The service Thing of Things-v1: collection GET: ';

describe('the platform does not start', () => {
  it.each([
    ['page', 'is reserved for pagination, as the service has a "page_size"'],
    ['page_size', 'is reserved for pagination, as the service has a "page_size"'],
  ])('with a parameter "%s" next to that of paging', async (name, meaning) => {
    const GET = { query: query({ [name]: Type.Optional(Type.Integer()) }) };
    expect(await refusalOf({ page_size: 2, collection: { GET } })).toBe(
      `${WHERE}the query declares the parameter "${name}", which ${meaning}. Rename the declared parameter.`,
    );
  });

  it.each(['cursor', 'page_size'])('with a parameter "%s" next to that of cursors', async (name) => {
    const GET = { query: query({ [name]: Type.Optional(Type.String()) }) };
    const refusal = await refusalOf({ page_size: 2, cursor: Type.Object({}), collection: { GET } });
    expect(refusal).toContain(
      `${WHERE}the query declares the parameter "${name}", which is reserved for pagination`,
    );
  });

  it('with a parameter "sort" next to that of sorting, in configuration as in code', async () => {
    const message = `${WHERE}the query declares the parameter "sort", which is reserved for sorting, as the operation has a "sort". Rename the declared parameter.`;
    const GET = { query: query({ sort: Type.Optional(Type.String()) }), sort: ['id'] };
    expect(await refusalOf({ collection: { GET } })).toBe(message);
    const services = { Thing: { collection: { GET: { sort: ['id'] } } } };
    const local = { 'platform-hosting': { apis: { Things: { versions: { 1: { services } } } } } };
    expect(await refusalOf({ collection: { GET: { query: GET.query } } }, local)).toBe(message);
  });

  it('with a query that is not an object schema', async () => {
    const both = Type.Intersect([query({ a: Type.String() }), query({ b: Type.String() })]);
    expect(await refusalOf({ collection: { GET: { query: both } } })).toBe(
      `${WHERE}its query declares no parameters. Use Type.Object({ … }), a JSON Schema with "properties".`,
    );
  });

  it.each([
    ['an object', Type.Object({ name: Type.String() })],
    ['a list of objects', Type.Array(Type.Object({}))],
  ])('with a query parameter that is %s, which no client can send', async (_, parameter) => {
    const GET = { query: query({ id: Type.Optional(Type.Integer()), filter: parameter }) };
    expect(await refusalOf({ collection: { GET } })).toBe(
      `${WHERE}its query parameter "filter" is an object, which the text of a query cannot be. Declare a parameter for each member, such as "filter.name", or use a body.`,
    );
  });

  it.each([
    ['fields', { fields: { product_id: 'string' } }],
    ['input', { input: { product_id: { type: 'string' } } }],
    ['collection GET: query', { collection: { GET: { query: { product_id: 'string' } } } }],
  ])('with %s that list members instead of keywords', async (location, changes) => {
    expect(await refusalOf(changes)).toBe(
      `The service Thing of Things-v1: ${location} is not a JSON Schema: "product_id" is not a keyword. Declare members in "properties", as Type.Object({ product_id: … }) does.`,
    );
  });

  it.each<readonly [string, object, string]>([
    ['fields', { $ref: '#' }, '"#" is circular: # → #'],
    ['input', { allOf: [{ $ref: '#' }] }, '"#" is circular: # → #'],
    [
      'fields',
      {
        type: 'object',
        properties: { id: { $ref: '#/$defs/A' } },
        $defs: { A: { anyOf: [{ $ref: '#/$defs/B' }] }, B: { $ref: '#/$defs/A' } },
      },
      '"#/$defs/A" is circular: #/$defs/A → #/$defs/B → #/$defs/A',
    ],
  ])('with %s that refer to themselves: %j', async (location, schema, circle) => {
    expect(await refusalOf({ [location]: schema })).toBe(
      `The service Thing of Things-v1: ${location}: the $ref ${circle}. Refer to another schema, or to the schema of a member.`,
    );
  });

  it.each(['first', 'last'])(
    'with more references in a row than validators can follow, the %s of which comes first',
    async (first) => {
      const entries = Array.from({ length: 1_001 }, (_, at): [string, object] => [
        `D${at}`,
        at === 1_000 ? { type: 'string' } : { allOf: [{ $ref: `#/$defs/D${at + 1}` }] },
      ]);
      const $defs = Object.fromEntries(first === 'first' ? entries : entries.reverse());
      const chain = { type: 'object', properties: { id: { $ref: '#/$defs/D0' } }, $defs };
      expect(await refusalOf({ input: chain })).toBe(
        'The service Thing of Things-v1: input: the $ref "#/$defs/D0" is the first of more than 1000 in a row. Shorten the chain.',
      );
    },
  );

  it('with a misspelt type, and names its location and the allowed types', async () => {
    const price = Type.Unsafe<number>({ type: 'nubmer' });
    expect(await refusalOf({ fields: Type.Object({ id: Type.String(), price }) })).toBe(
      'The service Thing of Things-v1: fields: invalid schema: properties.price.type is "nubmer"; allowed: array, boolean, integer, null, number, object, string',
    );
  });

  it('with a tuple as TypeBox writes it, and explains how to write it', async () => {
    const place = Type.Tuple([Type.Number(), Type.Number()]);
    const refusal = await refusalOf({ fields: Type.Object({ id: Type.String(), place }) });
    expect(refusal).toContain('"items" is an array, as Type.Tuple writes it');
    expect(refusal).toContain('prefixItems: [a, b], items: false, minItems: 2 }) instead');
  });

  it.each([
    ['a text', Type.String()],
    ['a list', Type.Array(fields)],
    ['of any type', {}],
    ['a reference', Type.Ref('Other')],
  ])('with PATCH when an entity is %s', async (_what, odd) => {
    for (const part of ['collection', 'entity']) {
      expect(await refusalOf({ [part]: { PATCH: { fields: odd } } })).toBe(
        `The service Thing of Things-v1: ${part} PATCH: cannot derive a merge patch from its fields, which do not declare the members of an entity. ` +
          'Declare them with Type.Object, or a Type.Intersect or Type.Union of objects; or remove PATCH.',
      );
    }
  });
});
