import { JsonModel, Problem, ProblemModel, type ProblemOptions } from '../../../src/framework';
import type { TestPlatform, TestProject } from '../../factories/platform';
import { startFramework } from '../../factories/routes';
import { bodyOf } from '../../factories/http/requests';

const pages: TestProject = {
  local: { view_manager: { template_map: { 'platform/error': 'error.njk' } } },
  files: { 'error.njk': '<h1>{{ problem.status }} {{ problem.title }}</h1>{{ problem.detail }}' },
};

function start(project: TestProject = {}): Promise<TestPlatform> {
  return startFramework(
    {
      'GET /conflict': () => {
        throw new Problem(409, 'Changed <b>meanwhile</b>.', { fields: [['X-Revision', '7']] });
      },
      'GET /unauthorized': () => {
        throw new Problem(401, 'Unauthorized', { fields: [['WWW-Authenticate', 'Basic realm="a"']] });
      },
      'GET /broken': () => {
        throw new Error('no disk');
      },
      'GET /unwritable': () => {
        throw new Problem(400, 'Bad.', { fields: [['X-Bad', 'line\nbreak']] });
      },
      'GET /fields': () => {
        // As JavaScript may write them.
        const fields = { 'Retry-After': '60' } as unknown as NonNullable<ProblemOptions['fields']>;
        throw new Problem(503, 'Closed.', { fields });
      },
      'GET /circular': () => {
        const circle: Record<string, unknown> = {};
        circle.self = circle;
        return new JsonModel(circle);
      },
    },
    undefined,
    project,
  );
}

describe('A problem', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await start(pages)));
  afterAll(() => platform.stop());
  const get = (path: string, accept?: string): Promise<globalThis.Response> =>
    platform.request(path, { headers: accept === undefined ? {} : { Accept: accept } });

  it.each([
    undefined,
    '*/*',
    'application/json',
    'application/problem+json',
    'application/xhtml+xml',
    'image/png',
    'nonsense',
  ])('is application/problem+json with Accept: %s', async (accept) => {
    const answer = await get('/conflict', accept);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await answer.json()).toMatchObject({ status: 409, detail: 'Changed <b>meanwhile</b>.' });
  });

  it('is an escaped HTML page with the same status if the client prefers HTML', async () => {
    const answer = await get('/conflict', 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8');
    expect(answer.status).toBe(409);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await answer.text()).toBe('<h1>409 Conflict</h1>Changed &lt;b&gt;meanwhile&lt;/b&gt;.');
  });

  it('varies by Accept', async () => {
    expect((await get('/conflict')).headers.get('vary')).toBe('Accept');
    expect((await get('/conflict', 'text/html')).headers.get('vary')).toBe('Accept');
  });

  it('keeps its header fields, as HTML and as JSON', async () => {
    expect((await get('/conflict')).headers.get('x-revision')).toBe('7');
    expect((await get('/conflict', 'text/html')).headers.get('x-revision')).toBe('7');
  });

  it('of status 401 is never an HTML page', async () => {
    const answer = await get('/unauthorized', 'text/html');
    expect(answer.status).toBe(401);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('www-authenticate')).toBe('Basic realm="a"');
  });

  it('of an unexpected error discloses nothing; the log has the details', async () => {
    const answer = await get('/broken');
    const document = await bodyOf(answer);
    expect(document).toEqual({
      type: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.1',
      title: 'Internal Server Error',
      status: 500,
      detail: 'The server encountered an unexpected condition.',
      request_id: expect.any(String) as unknown,
    });
    expect(platform.log.lines.at(-1)).toMatchObject({
      level: 'error',
      details: {
        err: { message: 'no disk' },
        request_id: document.request_id,
        method: 'GET',
        path: '/broken',
      },
    });
  });

  it('is the response if a result cannot be rendered', async () => {
    const answer = await get('/circular');
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it.each(['/unwritable', '/fields'])(
    'is the response if the header fields of another one cannot be sent: %s',
    async (path) => {
      const answer = await get(path);
      expect(answer.status).toBe(500);
      expect(await answer.json()).toMatchObject({ status: 500 });
    },
  );

  it('to HEAD has no body', async () => {
    const answer = await platform.request('/conflict', { method: 'HEAD' });
    expect([answer.status, await answer.text()]).toEqual([409, '']);
  });
});

describe('Without an error template', () => {
  it('a problem is never an HTML page, and does not vary by Accept', async () => {
    const platform = await start();
    const answer = await platform.request('/conflict', { headers: { Accept: 'text/html' } });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('vary')).toBeNull();
    await platform.stop();
  });
});

describe('An error template that fails', () => {
  it('falls back to the bare problem', async () => {
    const platform = await start({ ...pages, files: { 'error.njk': '{{ missing.such() }}' } });
    const answer = await platform.request('/conflict', { headers: { Accept: 'text/html' } });
    expect(answer.status).toBe(500);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    await platform.stop();
  });
});

describe('display_exceptions', () => {
  it('adds the stack trace of an unexpected error', async () => {
    const platform = await start({ local: { view_manager: { display_exceptions: true } } });
    const document: unknown = await (await platform.request('/broken')).json();
    expect(document).toMatchObject({
      status: 500,
      trace: expect.arrayContaining([
        'Error: no disk',
        expect.stringMatching(/^at .*problems\.spec/),
      ]) as unknown,
    });
    expect(await (await platform.request('/conflict')).json()).not.toHaveProperty('trace');
    await platform.stop();
  });
});

describe('A listener', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    const gone = new Problem(410, 'Sold out.', { fields: [['X-Since', '2026']] });
    platform = await startFramework(
      {
        'GET /conflict': () => {
          throw new Problem(409, 'Table "stock" is locked.', { fields: [['X-Revision', '7']] });
        },
        'GET /model': () => new ProblemModel(new Problem(409, 'Table "stock" is locked.')),
        'GET /same': () => {
          throw new Problem(405, 'PUT into table "stock".', { fields: [['Allow', 'GET']] });
        },
        'GET /down': () => {
          throw new Problem(404, 'No row.');
        },
        'GET /varying': () => {
          const fields = [
            ['Vary', 'Accept'],
            ['Set-Cookie', 'basket=7'],
          ] as const;
          throw new Problem(409, 'Table "stock" is locked.', { fields });
        },
      },
      ({ application: { events } }) => {
        events.attach('dispatch.error', (event) => {
          const { path } = event.request;
          event.response.fields.set('X-Shop', 'closed');
          if (path === '/conflict') event.viewModel = new ProblemModel(gone);
          if (path === '/varying') {
            event.response.fields.addToList('Vary', 'Origin');
            event.response.fields.append('Set-Cookie', 'seen=1');
            const fields = [
              ['vary', 'Accept, Cookie'],
              ['set-cookie', 'reason=gone'],
            ] as const;
            event.viewModel = new ProblemModel(new Problem(410, 'Sold out.', { fields }));
          }
          if (path === '/same') event.viewModel = new ProblemModel(new Problem(405, 'Not allowed.'));
          if (path === '/down') event.viewModel = new ProblemModel(new Problem(503, 'No stock list.'));
        });
        events.attach(
          'render',
          (event) => {
            if (event.request.path === '/model') event.viewModel = new ProblemModel(gone);
          },
          5,
        );
      },
    );
  });
  afterAll(() => platform.stop());

  it.each(['/conflict', '/model'])(
    'shows another problem with its status and its fields: %s',
    async (path) => {
      const answer = await platform.request(path);
      expect([answer.status, answer.headers.get('x-since'), answer.headers.get('x-revision')]).toEqual([
        410,
        '2026',
        null,
      ]);
      expect(await answer.json()).toMatchObject({ status: 410, detail: 'Sold out.' });
    },
  );

  it('keeps the fields that it has added, and those of a problem with the same status', async () => {
    expect((await platform.request('/conflict')).headers.get('x-shop')).toBe('closed');
    const answer = await platform.request('/same');
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET']);
    expect(await answer.json()).toMatchObject({ detail: 'Not allowed.' });
  });

  it('adds to the cookies of a response, and to the headers by which it varies', async () => {
    const { status, headers } = await platform.request('/varying');
    expect([status, headers.get('vary'), headers.getSetCookie()]).toEqual([
      410,
      'Accept, Origin, Cookie',
      ['basket=7', 'seen=1', 'reason=gone'],
    ]);
  });

  it('that shows a problem of the server has it logged', async () => {
    expect((await platform.request('/down')).status).toBe(503);
    expect(platform.log.lines.at(-1)).toMatchObject({ level: 'error', details: { path: '/down' } });
  });
});
