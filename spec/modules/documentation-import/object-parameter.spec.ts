import { importOpenapi } from '../../../src/modules/documentation-import';
import { startTestPlatform } from '../../factories/platform';

const filter = {
  type: 'object',
  required: ['state'],
  properties: {
    state: { type: 'string', enum: ['open', 'closed'], description: 'Its state.' },
    min: { type: 'integer', nullable: true },
    tags: { type: 'array', items: { type: 'string' } },
  },
};

const documentOf = (parameters: readonly object[]): string =>
  JSON.stringify({
    openapi: '3.0.3',
    info: { title: 'Things', version: '1' },
    paths: { '/things': { get: { parameters, responses: { 200: { description: 'A' } } } } },
    components: { schemas: { Filter: filter } },
  });

const importOf = (parameters: readonly object[]): ReturnType<typeof importOpenapi> =>
  importOpenapi({ text: documentOf(parameters), name: 'things.json' }, 1);

/** The query of the only operation. */
function queryOf(parameters: readonly object[]): unknown {
  const { versions } = importOf(parameters).api as unknown as {
    versions: Record<1, { services: { Things: { methods: { GET: { query?: unknown } } } } }>;
  };
  return versions[1].services.Things.methods.GET.query;
}

const warningsOf = (parameters: readonly object[]): readonly string[] =>
  importOf(parameters).warnings.filter((one) => one.includes('parameter'));

const schema = { $ref: '#/components/schemas/Filter' };
const deep = { name: 'filter', in: 'query', required: true, style: 'deepObject', explode: true, schema };
const PLACE = '#/paths/~1things/get/parameters';

describe('a query parameter that is an object', () => {
  it('becomes a parameter for each member, as deepObject writes them', () => {
    const example = { state: 'open', min: 1 };
    expect(queryOf([{ ...deep, example, deprecated: true }])).toEqual({
      type: 'object',
      required: ['filter[state]'],
      properties: {
        'filter[state]': { ...filter.properties.state, deprecated: true, examples: ['open'] },
        'filter[min]': { type: ['integer', 'null'], deprecated: true, examples: [1] },
        'filter[tags]': { ...filter.properties.tags, deprecated: true },
      },
    });
    expect(warningsOf([deep])).toEqual([
      `query parameter that is an object (imported as a parameter for each member): ${PLACE}/0`,
    ]);
  });

  it('becomes a parameter for each member, as an exploded form writes them', () => {
    const state = { name: 'state', in: 'query', schema: { type: 'string' } };
    const { required: _, style: __, ...form } = deep;
    expect(queryOf([state, form])).toEqual({
      type: 'object',
      required: [],
      properties: {
        state: state.schema,
        min: { type: ['integer', 'null'] },
        tags: filter.properties.tags,
      },
    });
    expect(warningsOf([state, form])).toEqual([
      `query parameter that is an object (imported as a parameter for each member): ${PLACE}/1`,
      `duplicate parameter "state" in query: ${PLACE}/1`,
    ]);
  });

  it.each([
    ['in another style', { ...deep, style: 'form', explode: false }],
    ['without declared members', { ...deep, schema: { type: 'object' } }],
    ['with members that are objects', { ...deep, schema: { type: 'object', properties: { a: filter } } }],
    [
      'with members that are objects or null',
      { ...deep, schema: { type: 'object', properties: { a: { ...filter, nullable: true } } } },
    ],
    ['with parts', { ...deep, schema: { ...filter, allOf: [filter] } }],
  ])('is not imported %s', (_, parameter) => {
    expect(queryOf([parameter])).toBeUndefined();
    expect(warningsOf([parameter]).at(-1)).toBe(`query parameter that is an object: ${PLACE}/0`);
  });

  it('leaves a parameter with the name of a member as it is declared', () => {
    const page = { name: 'page', in: 'query', required: true, schema: { type: 'integer' } };
    const form = {
      name: 'p',
      in: 'query',
      schema: { type: 'object', properties: { page: { type: 'string' }, size: { type: 'integer' } } },
    };
    expect(queryOf([form, page])).toEqual({
      type: 'object',
      required: ['page'],
      properties: { size: { type: 'integer' }, page: { type: 'integer' } },
    });
    expect(warningsOf([form, page])).toContain(`duplicate parameter "page" in query: ${PLACE}/0`);
  });

  it('loses defaults that its members do not accept, and what members cannot express, with warnings', () => {
    const parameter = {
      name: 'filter',
      in: 'query',
      style: 'deepObject',
      description: 'Which things.',
      schema: {
        type: 'object',
        nullable: true,
        minProperties: 1,
        default: { n: 1 },
        properties: { n: { type: 'integer', default: 'ten' }, m: { type: 'integer', default: 2 } },
      },
    };
    expect(queryOf([parameter])).toEqual({
      type: 'object',
      required: [],
      properties: { 'filter[n]': { type: 'integer' }, 'filter[m]': { type: 'integer', default: 2 } },
    });
    expect(importOf([parameter]).warnings).toEqual(
      expect.arrayContaining([
        `default that its schema does not accept: ${PLACE}/0/schema/properties/n/default`,
        ...['description', 'default', 'minProperties'].map(
          (keyword) => `"${keyword}" of a query parameter that is an object: ${PLACE}/0`,
        ),
      ]),
    );
  });

  it('is read from requests, and documented', async () => {
    const { api } = importOf([deep]);
    const platform = await startTestPlatform({ local: { 'platform-hosting': { apis: { Things: api } } } });
    try {
      const statusOf = async (query: string): Promise<number> =>
        (await platform.request(`/v1/things?${query}`)).status;
      expect(await statusOf('filter[state]=open&filter%5Bmin%5D=2&filter[tags]=a&filter[tags]=b')).toBe(501);
      expect(await statusOf('filter[state]=none')).toBe(400);
      expect(await statusOf('filter[min]=2')).toBe(400);
      const answer = await platform.request('/platform/documentation/Things?format=openapi');
      expect(await answer.json()).toMatchObject({
        paths: {
          '/v1/things': {
            get: { parameters: [{ name: 'filter[state]', required: true }, {}, { name: 'filter[tags]' }] },
          },
        },
      });
    } finally {
      await platform.stop();
    }
  });
});
