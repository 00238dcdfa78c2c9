import { JsonModel, Response, ViewModel } from '../../../src/framework';
import type { TestPlatform } from '../../factories/platform';
import { startFramework } from '../../factories/routes';

let platform: TestPlatform;
beforeAll(async () => {
  platform = await startFramework(
    {
      'GET /model': () => new JsonModel({ a: 1 }),
      'GET /promised': () => Promise.resolve(new JsonModel({ a: 2 })),
      'GET /response': () => new Response(202, 'done', [['Content-Type', 'text/plain']]),
      'GET /promised-response': () => Promise.resolve(new Response(203, 'done')),
      'GET /page': () => new ViewModel({ name: '<Ada>' }, { template: 'page' }),
      'GET /status': ({ response }) => {
        response.status = 201;
        response.fields.set('Location', '/status/1');
        return new JsonModel({});
      },
      'GET /nothing': () => undefined,
      'GET /things/:id': ({ parameters }) => new JsonModel(parameters),
      'GET /thrown': () => {
        throw new Error('secret');
      },
    },
    undefined,
    {
      local: { view_manager: { template_map: { page: 'page.njk' } } },
      files: { 'page.njk': 'Hello {{ name }}' },
    },
  );
});
afterAll(() => platform.stop());

describe('A handler', () => {
  it.each([
    ['/model', { a: 1 }],
    ['/promised', { a: 2 }],
    ['/things/a%2Fb', { id: 'a/b' }],
  ])('returns a view model, or promises one: %s', async (path, expected) => {
    const answer = await platform.request(path);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual(expected);
  });

  it.each([
    ['/response', 202],
    ['/promised-response', 203],
  ])('returns a Response, or promises one, which is sent as it is: %s', async (path, status) => {
    const answer = await platform.request(path);
    expect([answer.status, await answer.text()]).toEqual([status, 'done']);
  });

  it('returns a view model with a template, which becomes a page', async () => {
    const answer = await platform.request('/page');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toBe('Hello &lt;Ada&gt;');
  });

  it('may set status and fields of the answer that its view model fills', async () => {
    const answer = await platform.request('/status');
    expect([answer.status, answer.headers.get('location')]).toEqual([201, '/status/1']);
  });

  it('whose result nothing can show is an unexpected error, with its name in the log', async () => {
    expect((await platform.request('/nothing')).status).toBe(500);
    expect(platform.log.lines.at(-1)?.details).toMatchObject({
      err: { message: 'GET /nothing returned a result without a view model.' },
    });
  });

  it('that throws tells the client nothing of the inside', async () => {
    const answer = await platform.request('/thrown');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
  });
});

describe('Methods', () => {
  it('HEAD is answered by the handler of GET, without a body', async () => {
    const answer = await platform.request('/model', { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '7',
      '',
    ]);
  });

  it('OPTIONS is answered with what is allowed', async () => {
    const answer = await platform.request('/model', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('others are a problem of status 405 with what is allowed', async () => {
    const answer = await platform.request('/model', { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await answer.json()).toMatchObject({
      detail: 'PUT is not allowed here. Allowed: GET, HEAD, OPTIONS.',
    });
  });
});

describe('A path', () => {
  it.each(['/none', '/things/', '/model/'])(
    'without a route is a problem of status 404: %s',
    async (path) => {
      const answer = await platform.request(path);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await answer.json()).toMatchObject({ status: 404, detail: `No resource found at ${path}.` });
    },
  );

  it('that is not correctly percent-encoded is a problem of status 400', async () => {
    const answer = await platform.request('/things/%zz');
    expect(await answer.json()).toMatchObject({ status: 400, title: 'Bad Request' });
  });
});
