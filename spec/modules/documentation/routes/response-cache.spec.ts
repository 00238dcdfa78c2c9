import fc from 'fast-check';
import type { Module } from '../../../../src/platform';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, fieldsOf, textOf } from '../../../factories/http/requests';

const DOCUMENTATION = '/platform/documentation';

/** Records for each response whether a listener of `route` returned it. */
function observer(): { readonly module: Module; readonly answeredAtRoute: () => readonly boolean[] } {
  let answered: boolean[] = [];
  return {
    module: {
      name: 'observer',
      onBootstrap: ({ application }) =>
        void application.events.attach('response', (event) => void answered.push(event.answered), 2000),
    },
    answeredAtRoute: () => {
      const noted = answered;
      answered = [];
      return noted;
    },
  };
}

/** A custom listener of `dispatch`, which disables the cache. */
const attentive: Module = {
  name: 'attentive',
  onBootstrap: ({ application }) => void application.events.attach('dispatch', () => undefined),
};

const received = async (answer: Response): Promise<readonly unknown[]> => [
  answer.status,
  fieldsOf(answer),
  await textOf(answer),
];

/** Each challenge has its own nonce. */
const withoutNonces = (what: unknown): string => JSON.stringify(what).replaceAll(/nonce=[^,]+/g, 'nonce');

describe('cached documentation', () => {
  const { module, answeredAtRoute } = observer();
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ local: sampleAuthentication, extra: [module] });
    // Formats attach on first rendering, which clears the cache.
    await platform.request(DOCUMENTATION);
  });
  afterAll(() => platform.stop());
  beforeEach(answeredAtRoute);

  it('is returned at route, with the same fields and bytes, in any coding, and as 304', async () => {
    for (const headers of [
      {},
      { accept: 'text/html', 'accept-encoding': 'identity' },
      { accept: 'text/markdown', 'accept-encoding': 'gzip' },
    ]) {
      const first = await platform.request(`${DOCUMENTATION}/Atlas`, { headers });
      const etag = first.headers.get('etag') ?? '';
      expect([first.status, answeredAtRoute()]).toEqual([200, [false]]);
      const again = await platform.request(`${DOCUMENTATION}/Atlas`, { headers });
      expect(await received(again)).toEqual(await received(first));
      const conditional = { headers: { ...headers, 'if-none-match': etag } };
      const same = await platform.request(`${DOCUMENTATION}/Atlas`, conditional);
      expect([same.status, await textOf(same), same.headers.get('etag')]).toEqual([304, '', etag]);
      const head = await platform.request(`${DOCUMENTATION}/Atlas`, { headers, method: 'HEAD' });
      expect([head.status, await textOf(head)]).toEqual([200, '']);
      expect(head.headers.get('content-length')).toBe(first.headers.get('content-length'));
      expect(answeredAtRoute()).toEqual([true, true, true]);
    }
  });

  it('is one entry for all irrelevant queries', async () => {
    await platform.request(`${DOCUMENTATION}?format=yaml`);
    answeredAtRoute();
    for (let at = 0; at < 3; at++) await platform.request(`${DOCUMENTATION}?format=yaml&new=${at}`);
    expect(answeredAtRoute()).toEqual([true, true, true]);
  });

  it('allows pages to run their scripts', async () => {
    const page = (): Promise<Response> =>
      platform.request(`${DOCUMENTATION}/Atlas-v1`, { headers: { accept: 'text/html' } });
    const policies = [];
    for (let at = 0; at < 2; at++) policies.push((await page()).headers.get('content-security-policy'));
    expect(answeredAtRoute()).toEqual([false, true]);
    expect(policies[1]).toContain('script-src');
    expect(policies[1]).toBe(policies[0]);
  });

  it('has the ID of the current request, including one of the client', async () => {
    const ids = [];
    for (let at = 0; at < 3; at++)
      ids.push((await platform.request(DOCUMENTATION)).headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(3);
    const named = await platform.request(DOCUMENTATION, { headers: { 'x-request-id': 'mine' } });
    expect(named.headers.get('x-request-id')).toBe('mine');
  });

  it('is cached for guests only', async () => {
    const headers = { authorization: basic('guide', 'explore') };
    for (let at = 0; at < 2; at++) {
      const answer = await platform.request(`${DOCUMENTATION}/Atlas-v1`, { headers });
      expect(answer.headers.get('cache-control')).toBe('private, no-cache');
    }
    expect(answeredAtRoute()).toEqual([false, false]);
    const wrong = { authorization: basic('guide', 'wrong') };
    expect((await platform.request(`${DOCUMENTATION}/Atlas-v1`, { headers: wrong })).status).toBe(401);
  });

  it('includes neither errors nor responses of operations', async () => {
    for (const [path, headers] of [
      ['/v2/atlas/countries/DE', {}],
      [`${DOCUMENTATION}/Nothing`, {}],
      [DOCUMENTATION, { accept: 'image/png' }],
      [`${DOCUMENTATION}?format=none`, {}],
    ] as const) {
      const statuses = [];
      for (let at = 0; at < 2; at++) statuses.push((await platform.request(path, { headers })).status);
      expect(statuses[0]).toBe(statuses[1]);
      if (path.startsWith('/v2')) expect(answeredAtRoute()).toEqual([false, false]);
    }
  });

  it('does not repeat cookies of earlier responses', async () => {
    const { events } = platform.application;
    const path = `${DOCUMENTATION}/Atlas-v1/Country`;
    let cookies = 0;
    const leave = events.attach('route', ({ response }) => {
      response.fields.append('Set-Cookie', `visit=${++cookies}`);
    });
    const received = [];
    for (let at = 0; at < 2; at++) received.push((await platform.request(path)).headers.get('set-cookie'));
    leave();
    received.push((await platform.request(path)).headers.get('set-cookie'));
    expect(received).toEqual(['visit=1', 'visit=2', null]);
  });

  it('equals the response without a cache, for any requests in any order', async () => {
    const uncached = await startTestPlatform({ local: sampleAuthentication, extra: [attentive] });
    const requests = fc.record({
      method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'DELETE'),
      target: fc.constantFrom(
        '',
        '/Atlas',
        '/Atlas?compare=1',
        '/Atlas-v1/Country',
        '/Nothing',
        '?format=yaml',
        '?format=none',
      ),
      accept: fc.constantFrom(undefined, 'text/html', 'application/json;q=0.5, text/markdown', 'a/b', ''),
      encoding: fc.constantFrom(undefined, 'gzip', 'br;q=0', 'identity;q=0'),
      tag: fc.constantFrom(undefined, '*', '"other"'),
      credentials: fc.constantFrom(undefined, basic('guide', 'explore')),
    });
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(requests, { minLength: 1, maxLength: 12 }), async (sequence) => {
          for (const { method, target, accept, encoding, tag, credentials } of sequence) {
            const headers = [
              ['accept', accept],
              ['accept-encoding', encoding],
              ['if-none-match', tag],
              ['authorization', credentials],
              ['x-request-id', 'the-same'],
            ].filter((field): field is [string, string] => field[1] !== undefined);
            const request = { method, path: DOCUMENTATION + target, headers };
            const [one, other] = [await platform.inject(request), await uncached.inject(request)];
            expect(withoutNonces(await received(one))).toBe(withoutNonces(await received(other)));
          }
        }),
        { numRuns: 60 },
      );
    } finally {
      await uncached.stop();
    }
  });
});

describe('a custom listener', () => {
  const { module, answeredAtRoute } = observer();
  let platform: TestPlatform;
  const get = async (): Promise<readonly boolean[]> => {
    for (let at = 0; at < 3; at++) await platform.request(DOCUMENTATION);
    return answeredAtRoute();
  };
  beforeAll(async () => {
    platform = await startTestPlatform({ extra: [module] });
    await platform.request(DOCUMENTATION);
  });
  afterAll(() => platform.stop());
  beforeEach(answeredAtRoute);

  it('of route or response is called on each request, cached or not', async () => {
    expect(await get()).toEqual([true, true, true]);
    const { events } = platform.application;
    for (const name of ['route', 'response'] as const) {
      let heard = 0;
      const leave = events.attach(name, ({ response }) => {
        heard++;
        response.fields.set('X-Heard', String(heard));
      });
      const noted = [];
      for (let at = 0; at < 3; at++)
        noted.push((await platform.request(DOCUMENTATION)).headers.get('x-heard'));
      leave();
      expect([name, noted]).toEqual([name, ['1', '2', '3']]);
      expect((await platform.request(DOCUMENTATION)).headers.get('x-heard')).toBeNull();
    }
  });

  it('of dispatch, of rendering or of all events disables the cache', async () => {
    const { events, view } = platform.application;
    const attach = [
      () => events.attach('dispatch', () => undefined),
      () => events.attach('render', () => undefined),
      () => events.attach('*', () => undefined),
    ];
    for (const one of attach) {
      const leave = one();
      expect(await get()).toEqual([false, false, false]);
      leave();
      expect(await get()).toEqual([true, true, true]);
    }
    for (const name of ['renderer', 'response'] as const) {
      const leave = view.events.attach(name, () => undefined);
      expect(await get()).toEqual([false, false, false]);
      leave();
      // Rendered by other listeners of the view: rendered again.
      expect(await get()).toEqual([false, true, true]);
    }
  });

  it('of completed requests is called for each, with its endpoint', async () => {
    const observed: unknown[] = [];
    const end = platform.application.observers.observe('completed', (event) => {
      observed.push([event.request.path, event.response.status, event.endpoint?.name, event.request.id]);
    });
    const ids = [];
    for (let at = 0; at < 3; at++)
      ids.push((await platform.request(`${DOCUMENTATION}/Atlas`)).headers.get('x-request-id'));
    end();
    expect(observed).toEqual(ids.map((id) => [`${DOCUMENTATION}/Atlas`, 200, 'documentation', id]));
    expect(answeredAtRoute()).toEqual([false, true, true]);
  });
});

describe('the response cache', () => {
  it('is not used for documentation that is not public', async () => {
    const { module, answeredAtRoute } = observer();
    const local = { 'platform-mvc-auth': { authorization: { '@documentation': 'authenticated' } } };
    const platform = await startTestPlatform({ extra: [module], local });
    try {
      const statuses = [];
      for (let at = 0; at < 2; at++) statuses.push((await platform.request(DOCUMENTATION)).status);
      expect([statuses, answeredAtRoute()]).toEqual([
        [403, 403],
        [false, false],
      ]);
    } finally {
      await platform.stop();
    }
  });
});
