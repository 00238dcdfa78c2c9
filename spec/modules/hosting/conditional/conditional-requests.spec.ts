import { defineApi, defineRestService, Type, type Module } from '../../../../src/platform';
import { Documentation } from '../../../../src/modules/documentation/documentation';
import { sampleCall } from '../../../../src/modules/documentation/samples/sample-call';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf, sendJson } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { BooksModule } from '../../../fixtures/shelves/books-module';

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
  books.weak = false;
  books.meanwhile = () => undefined;
  books.kept.set('moby', { book_id: 'moby', title: 'Moby-Dick', pages: 635, revision: 7 });
  books.calls.length = 0;
});

const get = (to: string, headers: Record<string, string> = {}, method = 'GET') =>
  platform.request(to, { method, headers });
const put = (to: string, headers: Record<string, string> = {}, title = 'The Whale') =>
  platform.request(to, sendJson({ title }, 'PUT', headers));
const patch = (to: string, headers: Record<string, string> = {}) =>
  platform.request(to, sendJson({ title: 'The Whale' }, 'PATCH', headers));
const remove = (to: string, headers: Record<string, string> = {}) => get(to, headers, 'DELETE');

describe('an entity with a revision', () => {
  it.each(['GET', 'HEAD'])('has it as the ETag of the response to %s', async (method) => {
    const answer = await get('/books/moby', {}, method);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('etag')).toBe('"7"');
  });

  it('has the new one in the response to the request that changed or created it', async () => {
    expect((await put('/books/moby')).headers.get('etag')).toBe('"8"');
    expect((await patch('/books/moby')).headers.get('etag')).toBe('"9"');
    const made = await platform.request('/books', sendJson({ title: 'Emma' }));
    expect(made.status).toBe(201);
    expect(made.headers.get('etag')).toBe('"1"');
  });

  it('has a weak one when the resource declares it', async () => {
    books.weak = true;
    expect((await get('/books/moby')).headers.get('etag')).toBe('W/"7"');
  });

  it('has different ones for versions and formats of the same state', async () => {
    const [one, two] = await Promise.all([get('/v1/books/moby'), get('/v2/books/moby')]);
    expect(one.headers.get('etag')).toBe('"7"');
    expect(two.headers.get('etag')).toBe('"7;v2"');
    const accept = { Accept: 'application/vnd.shelves.v2+json', 'If-None-Match': '"7"' };
    expect((await get('/books/moby', accept)).status).toBe(200);
  });

  it.each(['a "quoted" one', 'comma, semicolon; percent%41', 'Käse-€', ''])(
    'may have the revision %j',
    async (revision) => {
      jest.spyOn(books, 'revision').mockReturnValue(revision);
      try {
        const tag = (await get('/books/moby')).headers.get('etag') ?? '';
        expect(tag).toMatch(/^"[\x21\x23-\x7e]*"$/);
        expect((await get('/books/moby', { 'If-None-Match': tag })).status).toBe(304);
        expect((await patch('/books/moby', { 'If-Match': tag })).status).toBe(200);
        expect((await patch('/books/moby', { 'If-Match': '"other"' })).status).toBe(412);
      } finally {
        jest.restoreAllMocks();
      }
    },
  );

  it('may have a time as its revision', async () => {
    const revision = jest.spyOn(books, 'revision').mockReturnValue(new Date(0));
    try {
      const { headers } = await get('/books/moby');
      expect(headers.get('etag')).toBe('"1970-01-01T00:00:00.000Z"');
      const seen = { 'If-Match': headers.get('etag') ?? '' };
      expect((await patch('/books/moby', seen)).status).toBe(200);
      revision.mockReturnValue({ tag: new Date(1), weak: false });
      expect((await patch('/books/moby', seen)).status).toBe(412);
    } finally {
      jest.restoreAllMocks();
    }
  });

  it('may have an id or a time of another library as its revision', async () => {
    const id = { toJSON: () => '65f0', equals: () => true };
    const revision = jest.spyOn(books, 'revision').mockReturnValue(id as unknown as Date);
    try {
      expect((await get('/books/moby')).headers.get('etag')).toBe('"65f0"');
      revision.mockReturnValue({ tag: id as unknown as Date, weak: true });
      expect((await get('/books/moby')).headers.get('etag')).toBe('W/"65f0"');
    } finally {
      jest.restoreAllMocks();
    }
  });

  it.each<[string, unknown]>([
    ['a promise, but revision() is synchronous', Promise.resolve(7)],
    ['null', null],
    ['NaN', NaN],
    ['an instance of Date', new Date(NaN)],
    ['undefined', { tag: undefined, weak: false }],
  ])('is an error if its revision is %s', async (what, returned) => {
    jest.spyOn(books, 'revision').mockReturnValue(returned as number);
    platform.log.lines.length = 0;
    try {
      expect((await get('/books/moby')).status).toBe(500);
      const { err } = platform.log.lines[0]?.details as { err: Error };
      expect(err.message).toBe(
        `The revision of an entity or a collection is ${what}. Use a text, a number or a Date.`,
      );
    } finally {
      jest.restoreAllMocks();
    }
  });
});

describe('If-None-Match', () => {
  it.each(['"7"', 'W/"7"', '"6", "7"', '"6",W/"7"', '*', '"7" , '])(
    'of %s returns 304 without content',
    async (field) => {
      const answer = await get('/books/moby', { 'If-None-Match': field });
      expect(answer.status).toBe(304);
      expect(answer.headers.get('etag')).toBe('"7"');
      expect(answer.headers.get('vary')).toBe('Accept');
      expect(answer.headers.get('content-type')).toBeNull();
      expect(await answer.text()).toBe('');
    },
  );

  it.each(['"6"', '"77"', '7', '"7', 'W/"6"'])('of %s returns the entity', async (field) => {
    const answer = await get('/books/moby', { 'If-None-Match': field });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ title: 'Moby-Dick' });
  });

  it('does not change a 404', async () => {
    expect((await get('/books/none', { 'If-None-Match': '*' })).status).toBe(404);
  });

  it('also matches a weak tag (weak comparison)', async () => {
    books.weak = true;
    expect((await get('/books/moby', { 'If-None-Match': '"7"' })).status).toBe(304);
  });

  it('with * lets a PUT create but never replace', async () => {
    const made = await put('/books/emma', { 'If-None-Match': '*' });
    expect(made.status).toBe(201);
    expect(made.headers.get('location')).toBe('/books/emma');
    const refused = await put('/books/emma', { 'If-None-Match': '*' }, 'Other');
    expect(refused.status).toBe(412);
    expect(await bodyOf(refused)).toMatchObject({
      detail: 'Book "emma" already exists in a state that If-None-Match excludes.',
    });
    expect(books.kept.get('emma')).toMatchObject({ title: 'The Whale', revision: 1 });
  });
});

describe('If-Match', () => {
  it.each([put, patch, remove])('allows a change with the current tag', async (change) => {
    expect((await change('/books/moby', { 'If-Match': '"7"' })).status).toBeLessThan(300);
  });

  it.each([
    [put, '"6"'],
    [patch, '"6"'],
    [remove, '"6"'],
    [put, 'W/"7"'],
    [remove, '"6", "8"'],
    [patch, '""'],
  ])('rejects a stale tag before anything is changed', async (change, field) => {
    const answer = await change('/books/moby', { 'If-Match': field });
    expect(answer.status).toBe(412);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await bodyOf(answer)).toMatchObject({ detail: expect.stringContaining('Book "moby"') as unknown });
    expect(books.kept.get('moby')).toMatchObject({ title: 'Moby-Dick', revision: 7 });
  });

  it('accepts the tag that another version or format gave to the same state', async () => {
    expect((await patch('/v1/books/moby', { 'If-Match': '"7;v2"' })).status).toBe(200);
  });

  it('with * matches any existing entity', async () => {
    expect((await patch('/books/moby', { 'If-Match': '*' })).status).toBe(200);
    const answer = await put('/books/none', { 'If-Match': '*' });
    expect(answer.status).toBe(412);
    expect(await bodyOf(answer)).toMatchObject({
      detail: 'Book "none" does not exist, so If-Match cannot match.',
    });
    expect(books.kept.has('none')).toBe(false);
  });

  it('leaves a missing entity a 404', async () => {
    expect((await patch('/books/none', { 'If-Match': '"7"' })).status).toBe(404);
    expect((await remove('/books/none', { 'If-Match': '*' })).status).toBe(404);
  });

  it('never matches a weak tag', async () => {
    books.weak = true;
    expect((await put('/books/moby', { 'If-Match': 'W/"7"' })).status).toBe(412);
    expect((await put('/books/moby', { 'If-Match': '"7"' })).status).toBe(412);
  });

  it('is evaluated before If-None-Match', async () => {
    const answer = await get('/books/moby', { 'If-Match': '"6"', 'If-None-Match': '"7"' });
    expect(answer.status).toBe(412);
  });

  it('without quotes is a 400 that explains the syntax', async () => {
    const answer = await put('/books/moby', { 'If-Match': '7' });
    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).detail).toContain('entity tags in quotes');
    expect(books.kept.get('moby')?.revision).toBe(7);
  });

  it('is evaluated after the body is validated', async () => {
    expect((await put('/books/moby', { 'If-Match': '"6"' }, '')).status).toBe(422);
  });

  it('is evaluated again by a resource that asks for it, against the current state', async () => {
    books.meanwhile = () => {
      books.kept.set('moby', { book_id: 'moby', title: 'Someone else’s', revision: 8 });
    };
    expect((await put('/books/moby', { 'If-Match': '"7"' })).status).toBe(412);
    expect(books.kept.get('moby')?.title).toBe('Someone else’s');
    books.meanwhile = () => {
      books.kept.set('emma', { book_id: 'emma', title: 'Someone else’s', revision: 1 });
    };
    expect((await put('/books/emma', { 'If-None-Match': '*' })).status).toBe(412);
  });

  it('causes no fetch when it is not sent', async () => {
    await patch('/books/moby');
    expect(books.calls).not.toContain('fetch');
  });
});

describe('an operation that requires a precondition', () => {
  it.each([put, patch, remove])('responds 428 to requests without one', async (change) => {
    const answer = await change('/v2/books/moby');
    expect(answer.status).toBe(428);
    expect(await bodyOf(answer)).toMatchObject({ title: 'Precondition Required' });
    expect(books.kept.get('moby')?.revision).toBe(7);
    expect((await change('/v2/books/moby', { 'If-Match': '"7;v2"' })).status).toBeLessThan(300);
  });

  it('accepts If-None-Match from requests that create, and from no others', async () => {
    expect((await put('/v2/books/emma', { 'If-None-Match': '*' })).status).toBe(201);
    for (const change of [patch, put])
      expect((await change('/v2/books/moby', { 'If-None-Match': '"3"' })).status).toBe(428);
    // It names no state that a PATCH or DELETE could start from (RFC 6585, 3).
    for (const change of [patch, remove])
      expect((await change('/v2/books/moby', { 'If-None-Match': '*' })).status).toBe(428);
    expect(books.kept.get('moby')?.revision).toBe(7);
  });

  it('applies to lists as well', async () => {
    expect((await remove('/v2/books')).status).toBe(428);
    expect(books.kept.size).toBe(1);
  });
});

it('a PUT of a part of an entity is refused, as it would replace all of it', async () => {
  const part = { 'Content-Range': 'bytes 0-19/60' };
  expect((await put('/books/moby', part)).status).toBe(400);
  expect(books.kept.get('moby')?.revision).toBe(7);
  // Other methods ignore the field (RFC 9110, 14.4).
  expect((await patch('/books/moby', part)).status).toBe(200);
});

describe('a collection with a revision', () => {
  it("is not fetched when the client's copy is current", async () => {
    const answer = await get('/books');
    const etag = answer.headers.get('etag') ?? '';
    expect(etag).toMatch(/^"all%20\d+"$/);
    books.calls.length = 0;
    expect((await get('/books', { 'If-None-Match': etag })).status).toBe(304);
    expect(books.calls).toEqual([]);
    await platform.request('/books', sendJson({ title: 'Emma' }));
    expect((await get('/books', { 'If-None-Match': etag })).status).toBe(200);
  });

  it('is replaced and emptied only with the current tag', async () => {
    const etag = (await get('/books')).headers.get('etag') ?? '';
    expect((await remove('/books', { 'If-Match': '"all 0"' })).status).toBe(400);
    expect((await remove('/books', { 'If-Match': '"another"' })).status).toBe(412);
    expect((await remove('/books', { 'If-Match': etag })).status).toBe(204);
    expect(books.kept.size).toBe(0);
    expect((await remove('/books', { 'If-Match': etag })).status).toBe(412);
  });
});

describe('the documentation of conditional requests', () => {
  it('lists the statuses and header fields in JSON', async () => {
    const document = await bodyOf(
      await platform.request('/platform/documentation/Shelves-v2/Book?format=json'),
    );
    const entity = document.entity_operations as Record<string, unknown>[];
    const of = (method: string) => entity.find(({ http_method }) => http_method === method);
    expect(of('GET')).toMatchObject({
      request_headers: [{ name: 'If-None-Match', in: 'header' }],
      response_headers: [{ name: 'ETag', codes: [200, 304] }],
    });
    expect(of('PUT')).toMatchObject({
      request_headers: [{ name: 'If-Match' }, { name: 'If-None-Match' }],
      response_headers: [
        { name: 'Location', codes: [201] },
        { name: 'Content-Location', codes: [201] },
        { name: 'ETag', codes: [200, 201] },
      ],
    });
    expect(of('PATCH')).toMatchObject({ request_headers: [{ name: 'If-Match', required: true }] });
    expect(of('DELETE')).not.toHaveProperty('response_headers');
    const codes = (method: string) =>
      (of(method)?.response_status_codes as { code: number }[]).map(({ code }) => code);
    expect(codes('GET')).toEqual(expect.arrayContaining([304, 412]));
    expect(codes('PUT')).toEqual(expect.arrayContaining([200, 201, 412, 428]));
  });

  it('lists them in OpenAPI', async () => {
    const document = await bodyOf(
      await platform.request('/platform/documentation/Shelves-v2?format=apidesc'),
    );
    expect(document.paths).toMatchObject({
      '/v2/books/{book_id}': {
        get: {
          parameters: [{ in: 'path' }, { in: 'header', name: 'If-None-Match' }],
          responses: { 200: { headers: { ETag: {} } }, 304: { headers: { ETag: {} } } },
        },
        patch: {
          parameters: [{ in: 'path' }, { in: 'header', name: 'If-Match', required: true }],
          responses: { 412: {}, 428: {} },
        },
      },
    });
  });
});

it.each(['PUT', 'PATCH', 'DELETE'])('the sample of a %s has the required entity tag', async (method) => {
  const documentation = await platform.application.services.get(Documentation);
  const versions = documentation.listFor({ isGuest: false }).getApis();
  const services = versions.find((one) => one.getVersion() === 2)!.getServices();
  const service = services.find((one) => one.getName() === 'Book')!;
  const operation = service.getEntityOperations().find((one) => one.getHttpMethod() === method)!;
  const { headers = [] } = sampleCall(service, operation);
  expect(headers).toEqual([['If-Match', '"ETAG"']]);
  // It is not the current one, but there is one: without it, the status is 428.
  const request = sendJson({ title: 'The Whale' }, method, Object.fromEntries(headers));
  expect((await platform.request('/v2/books/moby', request)).status).toBe(412);
});

describe('a service whose resource provides no revisions, or no fetch', () => {
  const done: string[] = [];
  const things: Module = {
    name: 'things',
    requires: ['hosting'],
    apis: [
      defineApi({
        name: 'Things',
        versions: {
          1: {
            services: {
              Thing: defineRestService({
                route: '/things[/:id]',
                route_identifier_name: 'id',
                fields: Type.Object({ id: Type.String() }),
                entity: { GET: {}, DELETE: {} },
                resource: {
                  fetch: (id) => ({ there: { id }, null: null as unknown as undefined })[id],
                  delete: (id) => void done.push(id),
                },
              }),
              Sink: defineRestService({
                route: '/sink[/:id]',
                route_identifier_name: 'id',
                fields: Type.Object({ id: Type.String() }),
                entity: { PUT: {} },
                resource: { update: (id) => (done.push(id), { id }) },
              }),
            },
          },
        },
      }),
    ],
  };
  let other: TestPlatform;
  beforeAll(async () => (other = await startTestPlatform({ modules: HOSTING, extra: [things] })));
  afterAll(() => other.stop());
  beforeEach(() => done.splice(0));
  const change = async (path: string, init: RequestInit) => (await other.request(path, init)).status;

  it('has no ETags, and does not ignore a precondition', async () => {
    const answer = await other.request('/things/there', { headers: { 'If-None-Match': '"1"' } });
    expect([answer.status, answer.headers.get('etag')]).toEqual([200, null]);
    const headers = { 'If-Match': '"1"' };
    expect(await change('/things/there', { method: 'DELETE', headers })).toBe(412);
    expect(await change('/sink/x', sendJson({ id: 'x' }, 'PUT', headers))).toBe(412);
    expect(await change('/sink/x', sendJson({ id: 'x' }, 'PUT', { 'If-None-Match': '*' }))).toBe(412);
    expect(done).toEqual([]);
  });

  it('still knows whether an entity exists', async () => {
    const headers = { 'If-Match': '*' };
    for (const id of ['gone', 'null'])
      expect(await change(`/things/${id}`, { method: 'DELETE', headers })).toBe(404);
    expect(await change('/things/there', { method: 'DELETE', headers })).toBe(204);
    expect(done).toEqual(['there']);
  });
});
