import { defineApi, defineRestService, Type, type Links, type Module } from '../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../factories/platform';
import { bodyOf, sendJson } from '../../factories/http/requests';
import { GalleryModule } from '../../fixtures/gallery-module';

const HAL = 'application/hal+json';

describe('a service with HAL responses', () => {
  const gallery = new GalleryModule();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [gallery] })));
  afterAll(() => platform.stop());

  const get = (path: string, accept = HAL) => platform.request(path, { headers: { Accept: accept } });
  const linksOf = (document: Record<string, unknown>): Record<string, { readonly href: string }> =>
    Object.fromEntries(Object.entries({ ...(document._links as object) }));

  it.each([undefined, HAL, 'application/json', 'application/vnd.gallery.v1+json'])(
    'returns an entity with its own and the author’s links for Accept: %s',
    async (accept) => {
      const answer = await platform.request(
        '/gallery/pictures/0',
        accept === undefined ? {} : { headers: { Accept: accept } },
      );
      expect(answer.headers.get('content-type')).toBe(accept ?? HAL);
      expect(answer.headers.get('vary')).toBe('Accept, Origin');
      expect(await answer.json()).toEqual({
        _links: { self: { href: '/gallery/pictures/0' }, painter: { href: '/gallery/painters/10' } },
        picture_id: 0,
        title: 'No. 0',
        painter_id: 10,
        _embedded: { painter: { name: 'A. Nonymous' } },
      });
    },
  );

  it('links to the requested version', async () => {
    expect(linksOf(await bodyOf(await get('/v1/gallery/pictures/3'))).self?.href).toBe(
      '/v1/gallery/pictures/3',
    );
  });

  it('links pages like the Link field, and each entity to itself', async () => {
    const answer = await get('/gallery/pictures?page=2&page_size=2');
    const document = await bodyOf(answer);
    expect(document).toMatchObject({
      page: 2,
      page_size: 2,
      page_count: 3,
      total_items: 5,
      _embedded: {
        pictures: [
          { title: 'No. 2', _links: { self: { href: '/gallery/pictures/2' } } },
          { title: 'No. 3', _links: { self: { href: '/gallery/pictures/3' } } },
        ],
      },
    });
    expect(document.pictures).toBeUndefined();
    const { self, ...paging } = linksOf(document);
    expect(self).toEqual({ href: '/gallery/pictures?page=2&page_size=2' });
    const field = Object.entries(paging).map(([relation, { href }]) => `<${href}>; rel="${relation}"`);
    expect(Object.keys(paging).sort()).toEqual(['first', 'last', 'next', 'prev']);
    const sent = answer.headers
      .get('link')
      ?.split(', ')
      .filter((link) => !link.includes('service-desc'));
    expect(sent?.sort()).toEqual(field.sort());
  });

  it('links to all pages by next', async () => {
    const seen: unknown[] = [];
    for (let at: string | undefined = '/gallery/pictures?page_size=2'; at !== undefined;) {
      const document = await bodyOf(await get(at));
      const { pictures } = document._embedded as { pictures: { picture_id: number }[] };
      seen.push(...pictures.map((picture) => picture.picture_id));
      at = linksOf(document).next?.href;
    }
    expect(seen).toEqual([0, 1, 2, 3, 4]);
  });

  it('does not depend on Host', async () => {
    const one = await (await get('/gallery/pictures')).text();
    const other = await (
      await platform.request('/gallery/pictures', { headers: { Host: 'elsewhere' } })
    ).text();
    expect(other).toBe(one);
    expect(one).not.toContain('://');
  });

  it('links a created entity to itself', async () => {
    const picture = { picture_id: 7, title: 'New', painter_id: 1 };
    const answer = await platform.request('/gallery/pictures', sendJson(picture));
    expect(answer.status).toBe(201);
    expect(linksOf(await bodyOf(answer)).self?.href).toBe(answer.headers.get('location'));
  });

  it('accepts its own representation as a request body', async () => {
    const representation = await (await get('/gallery/pictures/1')).text();
    const answer = await platform.request('/gallery/pictures/1', {
      method: 'PUT',
      body: representation,
      headers: { 'Content-Type': HAL },
    });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(representation);
  });

  it('links the result of a procedure to the requested URL', async () => {
    expect(await (await get('/gallery/guide?kind=')).json()).toEqual({
      _links: { self: { href: '/gallery/guide?kind=' } },
      hello: 'there',
    });
    expect(await (await get('/gallery/guide?kind=list')).json()).toEqual({
      _links: { self: { href: '/gallery/guide?kind=list' } },
      items: [1, 2],
      total_items: 2,
    });
    expect(await (await get('/gallery/guide?kind=linked')).json()).toEqual({
      _links: {
        self: { href: '/gallery/guide?kind=linked' },
        map: [{ href: '/map{?zoom}', templated: true }, { href: '/plan' }],
      },
      name: 'hall',
      _embedded: { door: { _links: { self: { href: '/door' } }, open: true } },
    });
  });

  it('returns problems as problems', async () => {
    const answer = await get('/gallery/guide?kind=problem');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([409, 'application/problem+json']);
  });

  it.each([
    [
      'circle',
      'The response cannot be serialized as JSON: /next/next/next is a circular reference to /next.',
    ],
    ['embedded', 'The resource embedded as next embeds itself. Replace one of them by a link.'],
    [
      'big',
      'The response cannot be serialized as JSON: /rooms/1/height is a BigInt, which JSON does not support',
    ],
  ])(
    'responds a bare 500 to a result that cannot be serialized (%s), and logs the path',
    async (kind, message) => {
      platform.log.lines.length = 0;
      const answer = await get(`/gallery/guide?kind=${kind}`);
      expect(answer.status).toBe(500);
      expect(await answer.text()).not.toMatch(/circle|BigInt|embed/);
      expect(platform.log.lines.map(({ details }) => String(Reflect.get(details, 'err')))).toEqual([
        expect.stringContaining(message),
      ]);
    },
  );

  it('documents the schemas of its representations', async () => {
    const answer = await platform.request('/platform/documentation/Gallery-v1/Picture?format=apidesc');
    const { components, paths } = (await answer.json()) as {
      components: { schemas: Record<string, { properties: Record<string, unknown> }> };
      paths: Record<
        string,
        {
          get: {
            responses: Record<
              string,
              { content: Record<string, { schema: { $ref: string }; example: unknown }> }
            >;
          };
        }
      >;
    };
    const documented = (path: string) => {
      const content =
        Object.entries(paths).find(([one]) => one.endsWith(path))?.[1].get.responses['200']?.content ?? {};
      const name = content[HAL]?.schema.$ref.split('/').at(-1) ?? '';
      return { properties: components.schemas[name]?.properties, example: content[HAL]?.example };
    };
    const entity = documented('/pictures/{picture_id}');
    expect(Object.keys(entity.properties ?? {})).toEqual([
      '_links',
      'picture_id',
      'title',
      'painter_id',
      '_embedded',
    ]);
    const page = documented('/pictures');
    expect(Object.keys(page.properties ?? {})).toEqual([
      '_links',
      '_embedded',
      'page',
      'page_size',
      'page_count',
      'total_items',
    ]);
    expect(page.example).toMatchObject({ _embedded: { pictures: [{ title: 'Sunset' }] } });
  });
});

describe('a resource in JavaScript that adds relations asynchronously', () => {
  const asLinks = (links: unknown): Links => links as Links;
  const late: Module = {
    name: 'late',
    requires: ['hosting', 'hal'],
    apis: [
      defineApi({
        name: 'Late',
        versions: {
          1: {
            services: {
              Note: defineRestService({
                selector: 'HalJson',
                route: '/notes[/:id]',
                route_identifier_name: 'id',
                fields: Type.Object({ id: Type.String() }),
                entity: { GET: {} },
                resource: {
                  fetch: (id) => ({ id }),
                  links: ({ id }) => {
                    const link = Promise.resolve('/authors/1');
                    if (id === 'link') return asLinks({ author: link });
                    if (id === 'linked') return asLinks({ authors: ['/authors/2', link] });
                    return asLinks(id === 'links' ? Promise.resolve({}) : {});
                  },
                  embedded: ({ id }) => {
                    const author = Promise.resolve({ name: 'Ada' });
                    const relations: unknown = Promise.resolve({ author });
                    if (id === 'embedded') return relations as Record<string, unknown>;
                    return id === 'author' ? { author } : { authors: [author] };
                  },
                },
              }),
            },
          },
        },
      }),
    ],
  };
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [late] })));
  afterAll(() => platform.stop());

  it.each([
    ['links', 'Late-v1/Note entity GET: links() returned a promise. Return an object'],
    ['embedded', 'Late-v1/Note entity GET: embedded() returned a promise. Return an object'],
    ['author', 'The resource embedded as author is a promise.'],
    ['authors', 'The resource embedded as authors is a promise.'],
    ['link', 'The link author is a promise.'],
    ['linked', 'The link authors is a promise.'],
  ])('has an error that says so: %s', async (id, reason) => {
    platform.log.lines.length = 0;
    expect((await platform.request(`/notes/${id}`)).status).toBe(500);
    const { err } = platform.log.lines[0]?.details as { err: Error };
    expect(err.message).toContain(reason);
  });
});
