import { ContainerModule, type Module } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { ShopModule } from '../../../fixtures/shop/shop-module';

describe('query parameters', () => {
  let platform: TestPlatform;
  beforeAll(
    async () => (platform = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()] })),
  );
  afterAll(() => platform.stop());
  const echo = async (query: string) => bodyOf(await platform.request(`/v1/shop/echo${query}`));

  it.each([
    ['?count=3', { count: 3 }],
    ['?exact=true', { count: 7, exact: true }],
    ['?exact=false&count=1', { count: 1, exact: false }],
    ['?tags=one', { count: 7, tags: ['one'] }],
    ['?tags=one&tags=two', { count: 7, tags: ['one', 'two'] }],
    ['?tags=%C3%A9+b', { count: 7, tags: ['é b'] }],
    ['', { count: 7 }],
    ['?', { count: 7 }],
  ])('reach the handler with their declared types: %s', async (query, expected) => {
    expect((await echo(query)).query).toEqual(expected);
  });

  it('are rejected when undeclared or of the wrong type, each by its name', async () => {
    const answer = await platform.request('/v1/shop/echo?count=many&colour=red&exact=perhaps');
    expect(answer.status).toBe(400);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    const { errors, detail } = await bodyOf(answer);
    expect(errors).toEqual(
      expect.arrayContaining([
        { parameter: 'count', message: 'must be integer' },
        { parameter: 'colour', message: 'unknown query parameter' },
        { parameter: 'exact', message: 'must be boolean' },
      ]),
    );
    expect(errors).toHaveLength(3);
    expect(detail).toMatch(/^Invalid query parameters: /);
  });

  it('are listed if an unknown one was sent, and only then', async () => {
    const unknown = await echo('?colour=red&count=many');
    expect(unknown.allowed).toEqual(expect.arrayContaining(['count', 'exact', 'tags']));
    expect(unknown.allowed).not.toContain('colour');
    expect(await echo('?count=many')).not.toHaveProperty('allowed');
  });

  it('are reported once, however many errors they have', async () => {
    const answer = await platform.request('/v1/shop/echo?tags=too-long&tags=longer-still&count=x');
    const { errors, detail } = await bodyOf(answer);
    expect(errors).toHaveLength(2);
    expect(errors).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ parameter: 'tags' }),
        { parameter: 'count', message: 'must be integer' },
      ]),
    );
    expect(String(detail).match(/tags/g)).toHaveLength(1);
  });

  it('are reported when missing', async () => {
    const answer = await platform.request('/v1/shop/trouble');
    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).errors).toEqual([{ parameter: 'kind', message: 'is required' }]);
  });

  it.each([
    ['?tags=short&tags=too-long', 'tags'],
    ['?a/b=none', 'a/b'],
    ['?x~y=1', 'x~y'],
    ['?__proto__=1', '__proto__'],
    ['?constructor=1', 'constructor'],
  ])('are reported as the client wrote them: %s', async (query, parameter) => {
    const { status, errors } = await echo(query);
    expect(status).toBe(400);
    expect(errors).toEqual([expect.objectContaining({ parameter })]);
  });

  it('are rejected by an operation that declares none', async () => {
    const answer = await platform.request('/v1/my-video?hd=1');
    expect(answer.status).toBe(400);
    expect((await bodyOf(answer)).errors).toEqual([{ parameter: 'hd', message: 'unknown query parameter' }]);
  });
});

describe('query parameters of a configured collection', () => {
  it('are required only where declared, next to those of paging and sorting', async () => {
    const list: Module = {
      name: 'list',
      services: new ContainerModule(({ bind }) => {
        bind('List').toConstantValue({ fetchAll: () => [] });
      }),
    };
    const query = {
      type: 'object',
      properties: { year: { type: 'integer' }, by: { type: 'string' } },
      required: ['by'],
    };
    const Item = {
      route: '/items[/:id]',
      route_identifier_name: 'id',
      fields: { type: 'object', properties: { id: { type: 'string' } } },
      page_size: 5,
      collection: { GET: { query, sort: ['id'] } },
      resource: 'List',
    };
    const apis = { Items: { versions: { 1: { services: { Item } } } } };
    const configured = await startTestPlatform({
      modules: HOSTING,
      extra: [list],
      local: { 'platform-hosting': { apis } },
    });
    expect((await configured.request('/items?by=Ada')).status).toBe(200);
    expect((await configured.request('/items?by=Ada&year=1840&sort=-id&page=1')).status).toBe(200);
    expect((await bodyOf(await configured.request('/items'))).errors).toEqual([
      { parameter: 'by', message: 'is required' },
    ]);
    expect((await configured.request('/items?by=Ada&month=1')).status).toBe(400);
    await configured.stop();
  });
});
