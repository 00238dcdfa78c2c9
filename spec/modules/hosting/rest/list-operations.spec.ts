import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { BooksModule } from '../../../fixtures/shelves/books-module';

describe('list operations', () => {
  const module_ = new BooksModule();
  const { books } = module_;
  let platform: TestPlatform;
  beforeAll(async () => {
    const modules = [...HOSTING, 'documentation', 'documentation-apidesc'];
    platform = await startTestPlatform({ modules, extra: [module_] });
  });
  afterAll(() => platform.stop());
  beforeEach(() => {
    books.kept.clear();
    books.kept.set('a', { book_id: 'a', title: 'Emma', pages: 3, revision: 1 });
    books.kept.set('b', { book_id: 'b', title: 'Persuasion', revision: 1 });
  });
  const send = (body: unknown, method: string) => platform.request('/books', sendJson(body, method));
  const errorsOf = async (answer: Response) => {
    expect(answer.status).toBe(422);
    return (await bodyOf(answer)).errors;
  };

  it('replace the collection and return it', async () => {
    const answer = await send([{ title: 'Sanditon' }, { title: 'The Watsons', pages: 2 }], 'PUT');
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([
      { title: 'Sanditon', book_id: '0', revision: 1 },
      { title: 'The Watsons', pages: 2, book_id: '1', revision: 1 },
    ]);
    expect([...books.kept.keys()]).toEqual(['0', '1']);
    expect((await send([], 'PUT')).status).toBe(200);
    expect(books.kept.size).toBe(0);
  });

  it('patch the entities that they name, each with its own merge patch', async () => {
    const answer = await send(
      [
        { book_id: 'a', pages: null },
        { book_id: 'b', title: 'Lady Susan' },
      ],
      'PATCH',
    );
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual([
      { book_id: 'a', title: 'Emma', revision: 2 },
      { book_id: 'b', title: 'Lady Susan', revision: 2 },
    ]);
  });

  it('empty the collection', async () => {
    const answer = await platform.request('/books', { method: 'DELETE' });
    expect(answer.status).toBe(204);
    expect(await answer.text()).toBe('');
    expect(books.kept.size).toBe(0);
  });

  it('report every invalid item by its index, and change nothing', async () => {
    const list = [
      { title: 'Fine' },
      { title: '' },
      'no book',
      { title: 'X', 'a/b': 1 },
      { pages: 0, title: 'X' },
    ];
    const errors = await errorsOf(await send(list, 'PUT'));
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ pointer: '/1/title' }),
        expect.objectContaining({ pointer: '/2', message: 'must be object' }),
        expect.objectContaining({ pointer: '/3/a~1b' }),
        expect.objectContaining({ pointer: '/4/pages' }),
      ]),
    );
    expect(errors).toHaveLength(4);
    expect(books.kept.size).toBe(2);
  });

  it('require an identifier in each patch', async () => {
    const patches = [{ title: 'X' }, { book_id: 'a' }, { book_id: 'a', title: null }];
    expect(await errorsOf(await send(patches, 'PATCH'))).toEqual(
      expect.arrayContaining([
        { pointer: '/0/book_id', keyword: 'required', message: 'is required' },
        expect.objectContaining({ pointer: '/2/title', keyword: 'type' }),
      ]),
    );
  });

  it('accept only a list', async () => {
    expect(await errorsOf(await send({ title: 'X' }, 'PUT'))).toEqual([
      { pointer: '', keyword: 'type', message: 'must be array' },
    ]);
  });

  it('are listed in Allow, and documented with the list they accept', async () => {
    const answer = await platform.request('/books', { method: 'OPTIONS' });
    expect(answer.headers.get('allow')).toBe('GET, POST, PUT, PATCH, DELETE, HEAD, OPTIONS');
    const document = await bodyOf(
      await platform.request('/platform/documentation/Shelves-v1?format=apidesc'),
    );
    expect(document).toMatchObject({
      paths: {
        '/v1/books': {
          put: { requestBody: {}, responses: { 200: {}, 422: {} } },
          patch: { requestBody: {}, responses: { 200: {}, 422: {} } },
          delete: { responses: { 204: {} } },
        },
      },
    });
  });
});

describe('PUT of a missing entity', () => {
  it('returns 201 with Location when the resource created it, and 200 when it existed', async () => {
    const platform = await startTestPlatform({ modules: HOSTING, extra: [new BooksModule()] });
    try {
      const put = () => platform.request('/v1/books/K%C3%A4se%2F1', sendJson({ title: 'X' }, 'PUT'));
      const made = await put();
      expect(made.status).toBe(201);
      expect(made.headers.get('location')).toBe('/v1/books/K%C3%A4se%2F1');
      expect(await made.json()).toEqual({ title: 'X', book_id: 'Käse/1', revision: 1 });
      const replaced = await put();
      expect(replaced.status).toBe(200);
      expect(replaced.headers.get('location')).toBeNull();
    } finally {
      await platform.stop();
    }
  });
});

describe('the platform does not start', () => {
  const moduleOf = (
    parts: Pick<Parameters<typeof defineRestService>[0], 'collection' | 'entity' | 'resource'>,
  ): Module => ({
    name: 'broken',
    requires: ['hosting'],
    apis: [
      defineApi({
        name: 'Broken',
        versions: {
          1: {
            services: {
              Thing: defineRestService({
                route: '/things[/:id]',
                route_identifier_name: 'id',
                fields: Type.Object({ id: Type.String() }),
                ...parts,
                resource: parts.resource as never,
              }),
            },
          },
        },
      }),
    ],
  });

  it.each([
    [
      { collection: { PUT: {} }, resource: {} },
      'collection PUT, which needs a method replaceList() of the resource.',
    ],
    [
      { collection: { PATCH: {} }, resource: {} },
      'collection PATCH, which needs a method patchList() of the resource.',
    ],
    [
      { collection: { DELETE: {} }, resource: {} },
      'collection DELETE, which needs a method deleteList() of the resource.',
    ],
    [
      {
        entity: { DELETE: { precondition: 'required' as const } },
        resource: { delete: () => true, fetch: () => ({ id: '' }) },
      },
      'entity DELETE with precondition "required", which needs a method revision() of the resource.',
    ],
  ])('when the resource lacks a method that an operation needs', async (parts, reason) => {
    expect(await startRefusal({ modules: HOSTING, extra: [moduleOf(parts)] })).toBe(
      `The service Thing of Broken-v1 declares ${reason}`,
    );
  });
});
