import {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  enumOf,
  Type,
  type Module,
} from '../../../../src/platform';
import type { SchemaNode } from '../../../../src/framework';
import { withEnums } from '../../../../src/modules/hosting/members/enumerations';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';

const colour = Type.Union([Type.Literal('red'), Type.Literal('green'), Type.Literal('blue')]);

const Thing = defineRestService({
  route: '/things[/:thing_id]',
  route_identifier_name: 'thing_id',
  fields: Type.Object({
    thing_id: Type.String(),
    colour,
    size: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2), Type.Null()])),
  }),
  input: Type.Object({
    colour,
    size: Type.Optional(Type.Union([Type.Literal(1), Type.Literal(2), Type.Null()])),
  }),
  collection: { GET: { query: Type.Object({ colour: Type.Optional(colour) }) }, POST: {} },
  entity: { PATCH: {} },
  resource: {
    fetchAll: () => [],
    create: (data) => ({ thing_id: '1', ...data }),
    patch: (_, data) => ({ thing_id: '1', colour: 'red' as const, ...data }),
  },
});

const Numbered = defineRpcService({
  route: '/numbered',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ level: Type.Union([Type.Literal(1), Type.Literal(2)]) }),
      handler: ({ query }) => query,
    }),
  },
});

const things: Module = {
  name: 'things',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Things', versions: { 1: { services: { Thing, Numbered } } } })],
};

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform({ extra: [things] });
});

afterAll(() => platform.stop());

describe('a union of literals', () => {
  it('reports one error that lists its values, in bodies and in queries', async () => {
    const body = await platform.request('/things', sendJson({ colour: 'pink', size: 3 }));
    expect(body.status).toBe(422);
    expect((await bodyOf(body)).errors).toEqual([
      { pointer: '/colour', keyword: 'enum', message: 'must be one of: red, green, blue' },
      { pointer: '/size', keyword: 'enum', message: 'must be one of: 1, 2, null' },
    ]);
    const query = await platform.request('/things?colour=pink');
    expect((await bodyOf(query)).errors).toEqual([
      { parameter: 'colour', message: 'must be one of: red, green, blue' },
    ]);
  });

  it('accepts its values, including null in a patch and numbers in a query', async () => {
    expect((await platform.request('/things', sendJson({ colour: 'red', size: null }))).status).toBe(201);
    expect((await platform.request('/things/1', sendJson({ size: null }, 'PATCH'))).status).toBe(200);
    expect((await platform.request('/things/1', sendJson({ colour: null }, 'PATCH'))).status).toBe(422);
    expect(await bodyOf(await platform.request('/numbered?level=2'))).toEqual({ level: 2 });
    expect((await platform.request('/numbered?level=3')).status).toBe(400);
  });

  it('is an enumeration in the documentation: on pages, in Markdown and in OpenAPI', async () => {
    const at = '/platform/documentation/Things-v1/Thing';
    const page = await (await platform.request(at, { headers: { Accept: 'text/html' } })).text();
    expect(page).toContain('<code>colour</code> <span class="type">string</span>');
    expect(page).not.toContain('<span class="type">any</span>');
    expect(page).toMatch(/One of <code>red<\/code>, <code>green<\/code>, <code>blue<\/code>/);
    const markdown = await (await platform.request(`${at}?format=markdown`)).text();
    expect(markdown).toMatch(/\| `colour` \| string \| no \| One of `"red"`, `"green"`, `"blue"`/);
    const openapi = await (await platform.request(`${at}?format=openapi`)).text();
    expect(openapi).toContain('"enum":["red","green","blue"]');
    expect(openapi).not.toContain('"const"');
  });
});

describe('withEnums', () => {
  it('leaves a union unchanged when its branches have further keywords, or when a $ref points into it', () => {
    const documented = {
      oneOf: [
        { const: 1, title: 'Low' },
        { const: 2, title: 'High' },
      ],
    };
    expect(withEnums(documented)).toBe(documented);
    const mixed = Type.Union([Type.Literal('all'), Type.Integer()]);
    expect(withEnums(mixed)).toBe(mixed);
    const into = { properties: { a: colour, b: { $ref: '#/properties/a/anyOf/0' } } };
    expect(withEnums(into)).toBe(into);
  });

  it('is found in a list, also with a union of types around it', () => {
    const cursor = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    const page = (member: object): object => ({
      properties: { next: cursor, items: { items: { properties: { name: { type: 'string' }, member } } } },
    });
    expect(withEnums(page({ anyOf: [{ const: 'a' }, { const: 'b' }] }) as SchemaNode)).toEqual(
      page({ type: 'string', enum: ['a', 'b'] }),
    );
    const none = page({ type: 'string' }) as SchemaNode;
    expect(withEnums(none)).toBe(none);
  });

  it('keeps the annotations of the union', () => {
    const schema = {
      description: 'Which',
      default: 'a',
      anyOf: [{ const: 'a' }, { const: 'b', type: 'string' }],
    };
    expect(withEnums({ items: schema })).toEqual({
      items: { type: 'string', enum: ['a', 'b'], description: 'Which', default: 'a' },
    });
  });
});

describe('enumOf', () => {
  const priority = enumOf(['low', 'normal', 'high'], { default: 'normal', description: 'How urgent it is.' });

  it('is an enumeration with the type of its values', () => {
    expect(priority).toMatchObject({ type: 'string', enum: ['low', 'normal', 'high'], default: 'normal' });
    expect(enumOf([1, 2])).toMatchObject({ type: 'integer', enum: [1, 2] });
    expect(enumOf([1, 2.5])).toMatchObject({ type: 'number' });
    expect(enumOf(['1', 1])).not.toHaveProperty('type');
  });

  it('is validated, converted, documented, and typed', async () => {
    const schema = Type.Object({ priority, level: Type.Optional(enumOf([1, 2])) });
    const Issue = defineRpcService({
      route: '/issues',
      methods: {
        GET: { query: schema, response: schema, handler: ({ query }) => query },
        POST: { fields: schema, response: schema, handler: ({ body }) => ({ priority: body.priority }) },
      },
    });
    const tracker: Module = {
      name: 'tracker',
      requires: ['hosting'],
      apis: [defineApi({ name: 'Tracker', versions: { 1: { services: { Issue } } } })],
    };
    const own = await startTestPlatform({ extra: [tracker] });
    try {
      const refused = await own.request('/issues', sendJson({ priority: 'urgent' }));
      expect((await bodyOf(refused)).errors).toEqual([
        { pointer: '/priority', keyword: 'enum', message: 'must be one of: low, normal, high' },
      ]);
      expect(await bodyOf(await own.request('/issues?level=2'))).toEqual({ priority: 'normal', level: 2 });
      const document = await own.request('/platform/documentation/Tracker', {
        headers: { Accept: 'application/vnd.oai.openapi+json' },
      });
      expect(await document.text()).toContain('"enum":["low","normal","high"]');
      const page = await own.request('/platform/documentation/Tracker-v1/Issue', {
        headers: { Accept: 'text/html' },
      });
      expect(await page.text()).toContain('enum&quot;:[&quot;low&quot;,&quot;normal&quot;,&quot;high&quot;]');
    } finally {
      await own.stop();
    }
  });

  it('refuses no value, one that occurs twice, and another default', () => {
    expect(() => enumOf([])).toThrow('An enumeration needs at least one value.');
    expect(() => enumOf(['a', 'b', 'a'])).toThrow('An enumeration has the value "a" twice.');
    // Of literals, the compiler refuses it.
    const levels: readonly string[] = ['low', 'high'];
    expect(() => enumOf(levels, { default: 'medium' })).toThrow(
      'The default "medium" is not one of the values of the enumeration: low, high.',
    );
  });
});
