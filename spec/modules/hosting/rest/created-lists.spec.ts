import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';

const fields = Type.Object({
  id: Type.String({ readOnly: true }),
  title: Type.String({ minLength: 1 }),
  secret: Type.Optional(Type.String({ writeOnly: true })),
  pages: Type.Integer({ default: 1 }),
});
const service = (route: string, selector: 'Json' | 'HalJson', max?: number) =>
  defineRestService({
    route,
    route_identifier_name: 'id',
    fields,
    selector,
    unknown_members: 'refuse',
    ...(max === undefined ? {} : { max_items: max }),
    validators: [(book: unknown) => (Reflect.get(book as object, 'title') === 'X' ? [X] : [])],
    collection: { POST: {}, PATCH: {} },
    entity: { GET: {} },
    resource: {
      fetch: (id) => ({ id, title: 'T', pages: 1 }),
      create: (book) => ({ ...book, id: 'one' }),
      createList: (books) => books.map((book, at) => ({ ...book, id: String(at) })),
      patchList: (patches) => patches.map(({ id }) => ({ id, title: 'T', pages: 1 })),
    },
  });
const X = { pointer: '/title', message: 'is not a title' };

const library: Module = {
  name: 'library',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Library',
      versions: {
        1: {
          services: {
            Book: service('/books[/:id]', 'Json', 2),
            Hal: service('/hal[/:id]', 'HalJson'),
            One: service('/one[/:id]', 'Json', 1),
          },
        },
      },
    }),
  ],
};

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startTestPlatform({
    modules: [...HOSTING, 'documentation', 'documentation-apidesc', 'hal'],
    extra: [library],
  });
});
afterAll(() => platform.stop());
const post = (to: string, body: unknown, method = 'POST') => platform.request(to, sendJson(body, method));
const errorsOf = async (answer: Response) => [answer.status, (await bodyOf(answer)).errors];

describe('a POST of a list', () => {
  it('creates its entities, validated and shown like one of them', async () => {
    const made = await post('/books', [
      { title: 'A', secret: 's' },
      { title: 'B', pages: 2 },
    ]);
    expect([made.status, made.headers.get('location'), await made.json()]).toEqual([
      201,
      null,
      [
        { id: '0', title: 'A', pages: 1 },
        { id: '1', title: 'B', pages: 2 },
      ],
    ]);
    const one = await post('/books', { title: 'A', secret: 's' });
    expect([one.status, one.headers.get('location'), await one.json()]).toEqual([
      201,
      '/books/one',
      { id: 'one', title: 'A', pages: 1 },
    ]);
    expect(platform.log.lines.filter(({ level }) => level === 'warn')).toEqual([]);
  });

  it('explains what is invalid with pointers to the item', async () => {
    expect(await errorsOf(await post('/books', [{ title: 'A' }, { title: '', b: 1 }]))).toEqual([
      422,
      [expect.objectContaining({ pointer: '/1/b' }), expect.objectContaining({ pointer: '/1/title' })],
    ]);
    expect(await errorsOf(await post('/books', [{ title: 'A' }, { title: 'X' }]))).toEqual([
      422,
      [expect.objectContaining({ pointer: '/1/title', message: 'is not a title' })],
    ]);
    expect(await errorsOf(await post('/books', { title: '' }))).toEqual([
      422,
      [expect.objectContaining({ pointer: '/title' })],
    ]);
  });

  it('has the maximum length of the service, and so have patches', async () => {
    const tooMany = [422, [expect.objectContaining({ pointer: '', keyword: 'maxItems' })]];
    expect(await errorsOf(await post('/books', Array(3).fill({ title: 'A' })))).toEqual(tooMany);
    const patches = Array(3).fill({ id: 'a', title: 'A' });
    expect(await errorsOf(await post('/books', patches, 'PATCH'))).toEqual(tooMany);
    expect((await post('/hal', Array(300).fill({ title: 'A' }))).status).toBe(201);
    const single = [422, [expect.objectContaining({ pointer: '', keyword: 'type' })]];
    expect(await errorsOf(await post('/one', [{ title: 'A' }]))).toEqual(single);
  });

  it('responds with a collection in HAL', async () => {
    const made = await bodyOf(await post('/hal', [{ title: 'A', secret: 's' }]));
    expect(made._embedded).toEqual({
      items: [{ id: '0', title: 'A', pages: 1, _links: { self: { href: '/hal/0' } } }],
    });
  });

  it('is documented as an entity or a collection in HAL', async () => {
    const document = await bodyOf(
      await platform.request('/platform/documentation/Library-v1/Hal?format=apidesc'),
    );
    const ajv = new Ajv2020({ strict: false, validateSchema: false });
    addFormats(ajv);
    ajv.addSchema(document, 'document:');
    const at = '/paths/~1v1~1hal/post/responses/201/content/application~1hal+json/schema';
    const isDocumented = ajv.compile({ $ref: `document:#${at}` });
    const one = await bodyOf(await post('/hal', { title: 'A' }));
    const list = await bodyOf(await post('/hal', [{ title: 'A' }]));
    expect([one, list, [one], { ...list, _embedded: {} }].map((value) => isDocumented(value))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});
