import {
  JsonModel,
  MethodTable,
  priorities,
  Problem,
  ProblemModel,
  Response,
  ViewModel,
} from '../../../src/framework';
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
      'GET /problem': ({ response }) => {
        response.fields.set('Cache-Control', 'max-age=60');
        return new ProblemModel(new Problem(409, 'Sold.', { fields: [['X-Revision', '7']] }));
      },
      'GET /down': () => new ProblemModel(new Problem(503, 'Down.', { cause: new Error('no power') })),
      'GET /stopped': () => new JsonModel({}),
      'GET /nothing': () => undefined,
      'GET /things/:id': ({ parameters }) => new JsonModel(parameters),
      'GET /thrown': () => {
        throw new Error('secret');
      },
    },
    ({ application: { events, router } }) => {
      const methods = new MethodTable({
        GET: { name: 'list', handler: () => Promise.reject(new Problem(405, 'Listings are disabled.')) },
        PUT: { name: 'replace', handler: () => new ProblemModel(new Problem(405, 'This one is kept.')) },
        POST: { name: 'add', handler: () => new Response(405, null, [['Allow', 'PATCH']]) },
      });
      router.add('refusing', '/refusing', { methods });
      events.attach(
        'route',
        ({ request }) => {
          if (request.method === 'PATCH' && request.path === '/refusing')
            throw new Problem(405, 'Changes are disabled.');
        },
        priorities.route.authentication,
      );
      events.attach(
        'dispatch',
        (event) => {
          if (event.request.path !== '/stopped') return;
          event.viewModel = new ProblemModel(new Problem(409, 'Sold.', { fields: [['X-Revision', '8']] }));
          event.stopPropagation();
        },
        10,
      );
    },
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
  ])('returns a view model or a promise of one: %s', async (path, expected) => {
    const answer = await platform.request(path);
    expect(answer.headers.get('content-type')).toBe('application/json');
    expect(await answer.json()).toEqual(expected);
  });

  it.each([
    ['/response', 202],
    ['/promised-response', 203],
  ])('returns a Response or a promise of one, which is sent unchanged: %s', async (path, status) => {
    const answer = await platform.request(path);
    expect([answer.status, await answer.text()]).toEqual([status, 'done']);
  });

  it('returns a view model with a template, which is rendered as a page', async () => {
    const answer = await platform.request('/page');
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toBe('Hello &lt;Ada&gt;');
  });

  it('can set status and fields of the response', async () => {
    const answer = await platform.request('/status');
    expect([answer.status, answer.headers.get('location')]).toEqual([201, '/status/1']);
  });

  it('returns a view model of a problem, whose response has its status and its fields only', async () => {
    const answer = await platform.request('/problem');
    expect(answer.status).toBe(409);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect([answer.headers.get('x-revision'), answer.headers.get('cache-control')]).toEqual(['7', null]);
    expect(await answer.json()).toMatchObject({ status: 409, detail: 'Sold.' });
  });

  it('returns a view model of a problem of the server, which is logged once', async () => {
    const before = platform.log.lines.length;
    expect((await platform.request('/down')).status).toBe(503);
    expect(platform.log.lines.slice(before)).toMatchObject([
      { level: 'error', details: { err: { message: 'no power' }, path: '/down' } },
    ]);
  });

  it('is replaced by a listener with a view model of a problem, whose response has its status', async () => {
    const answer = await platform.request('/stopped');
    expect([answer.status, answer.headers.get('x-revision')]).toEqual([409, '8']);
    expect(await answer.json()).toMatchObject({ status: 409 });
  });

  it('that returns nothing causes a 500, logged with the name of the endpoint', async () => {
    expect((await platform.request('/nothing')).status).toBe(500);
    expect(platform.log.lines.at(-1)?.details).toMatchObject({
      err: { message: 'GET /nothing returned a result without a view model.' },
    });
  });

  it('that throws does not disclose the error to the client', async () => {
    const answer = await platform.request('/thrown');
    expect(answer.status).toBe(500);
    expect(await answer.text()).not.toContain('secret');
  });
});

describe('Methods', () => {
  it('HEAD calls the handler of GET, and sends no body', async () => {
    const answer = await platform.request('/model', { method: 'HEAD' });
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([
      200,
      '7',
      '',
    ]);
  });

  it('OPTIONS lists the allowed methods', async () => {
    const answer = await platform.request('/model', { method: 'OPTIONS' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([204, 'GET, HEAD, OPTIONS']);
  });

  it('other methods receive 405 with the allowed ones', async () => {
    const answer = await platform.request('/model', { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS']);
    expect(await answer.json()).toMatchObject({
      detail: 'PUT is not allowed here. Allowed: GET, HEAD, OPTIONS.',
    });
  });

  it.each([
    ['GET', 'PUT, POST, OPTIONS'],
    ['HEAD', 'PUT, POST, OPTIONS'],
    ['PUT', 'GET, POST, HEAD, OPTIONS'],
    ['POST', 'PATCH'],
    ['PATCH', 'GET, PUT, POST, HEAD, OPTIONS'],
  ])(
    'that a handler or listener refuses with 405 have Allow, with the others or as it sets it: %s',
    async (method, allow) => {
      const answer = await platform.request('/refusing', { method });
      expect([answer.status, answer.headers.get('allow')]).toEqual([405, allow]);
    },
  );
});

describe('A path', () => {
  it.each(['/none', '/things/', '/model/'])('without a route receives 404: %s', async (path) => {
    const answer = await platform.request(path);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ status: 404, detail: `No resource found at ${path}.` });
  });

  it('that is not correctly percent-encoded receives 400', async () => {
    const answer = await platform.request('/things/%zz');
    expect(await answer.json()).toMatchObject({ status: 400, title: 'Bad Request' });
  });
});
