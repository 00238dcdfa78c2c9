import fc from 'fast-check';
import { repeatable, type Module, type MvcEvent } from '../../../src/platform';
import { sampleAuthentication, startTestPlatform, type TestPlatform } from '../../factories/platform';
import { basic, fieldsOf, textOf } from '../../factories/requests';

const DOCUMENTATION = '/platform/documentation';

/** Counts requests that take the whole way; it does nothing else, and says so. */
function counter(): { readonly module: Module; readonly counted: () => number } {
  let count = 0;
  const listener = repeatable(() => {
    count++;
  });
  return {
    module: {
      name: 'counter',
      onBootstrap: ({ application }) => void application.events.attach('route', listener, 2000),
    },
    counted: () => {
      const counted = count;
      count = 0;
      return counted;
    },
  };
}

/** A listener that does not say what it is made for, as most are. */
const attentive: Module = {
  name: 'attentive',
  onBootstrap: ({ application }) => void application.events.attach('response', () => undefined),
};

const told = async (answer: Response): Promise<readonly unknown[]> => [
  answer.status,
  fieldsOf(answer),
  await textOf(answer),
];

/** Each challenge has a nonce of its own. */
const withoutNonces = (what: unknown): string => JSON.stringify(what).replaceAll(/nonce=[^,]+/g, 'nonce');

describe('Answers that are the same for all who ask the same', () => {
  const { module, counted } = counter();
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ local: sampleAuthentication, extra: [module] });
  });
  afterAll(() => platform.stop());
  beforeEach(counted);

  it('take no events the second time, in any coding, and when nothing has changed', async () => {
    // Formats come when something is first rendered: who is there then has another revision before and after.
    await platform.request(DOCUMENTATION);
    counted();
    for (const headers of [
      {},
      { accept: 'text/html', 'accept-encoding': 'identity' },
      { accept: 'text/markdown', 'accept-encoding': 'gzip' },
    ]) {
      const first = await platform.request(`${DOCUMENTATION}/Atlas`, { headers });
      const etag = first.headers.get('etag') ?? '';
      const same = await platform.request(`${DOCUMENTATION}/Atlas`, {
        headers: { ...headers, 'if-none-match': etag },
      });
      expect([first.status, same.status, counted()]).toEqual([200, 304, 2]);
      const again = await platform.request(`${DOCUMENTATION}/Atlas`, { headers });
      const sameAgain = await platform.request(`${DOCUMENTATION}/Atlas`, {
        headers: { ...headers, 'if-none-match': etag },
      });
      expect(counted()).toBe(0);
      expect(await told(again)).toEqual(await told(first));
      expect(await told(sameAgain)).toEqual(await told(same));
    }
  });

  it('have the id of their own request, also the one that a client gave it', async () => {
    const ids = [];
    for (let at = 0; at < 3; at++)
      ids.push((await platform.request(`${DOCUMENTATION}?ids`)).headers.get('x-request-id'));
    expect(new Set(ids).size).toBe(3);
    expect(counted()).toBe(1);
    // What a client calls its request is no value of another field, though it reads the same.
    const sly = { headers: { 'x-request-id': 'no-cache' } };
    for (const init of [sly, sly, {}, {}]) {
      const answer = await platform.request(`${DOCUMENTATION}?sly`, init);
      expect(answer.headers.get('cache-control')).toBe('no-cache');
    }
    const named = await platform.request(`${DOCUMENTATION}?ids`, { headers: { 'x-request-id': 'mine' } });
    expect(named.headers.get('x-request-id')).toBe('mine');
  });

  it.each([
    ['credentials', { authorization: basic('guide', 'explore') }],
    ['a cookie', { cookie: 'a=b' }],
    ['an origin', { origin: 'https://a.example' }],
  ])('are not given to requests with %s', async (_, headers) => {
    await platform.request(DOCUMENTATION);
    counted();
    for (let at = 0; at < 2; at++) await platform.request(DOCUMENTATION, { headers });
    expect(counted()).toBe(2);
  });

  it('are not those of operations, of what is not there, nor of what is refused', async () => {
    for (const [path, headers] of [
      ['/v1/atlas/countries/DE', {}],
      [`${DOCUMENTATION}/Nothing`, {}],
      [DOCUMENTATION, { accept: 'image/png' }],
      [`${DOCUMENTATION}?format=none`, {}],
    ] as const) {
      counted();
      for (let at = 0; at < 2; at++) await platform.request(path, { headers });
      expect([path, counted()]).toEqual([path, 2]);
    }
  });

  it('are kept in bounded room: who asks ever new things only makes it forget', async () => {
    const timesAsked = async (): Promise<number> => {
      counted();
      await platform.request(DOCUMENTATION);
      return counted();
    };
    await timesAsked();
    expect(await timesAsked()).toBe(0);
    for (let at = 0; at < 256; at++) await platform.request(`${DOCUMENTATION}?new=${at}`);
    expect(await timesAsked()).toBe(1);
    expect(await timesAsked()).toBe(0);
    for (let at = 0; at < 8; at++)
      await platform.request(DOCUMENTATION, { headers: { 'if-none-match': `"${at}"` } });
    expect(await timesAsked()).toBe(1);
    const long = `${DOCUMENTATION}?${'x'.repeat(600)}`;
    counted();
    for (let at = 0; at < 2; at++) await platform.request(long);
    expect(counted()).toBe(2);
  });

  it('are what is answered without them, whatever is asked in whatever order', async () => {
    const whole = await startTestPlatform({ local: sampleAuthentication, extra: [attentive] });
    const asked = fc.record({
      method: fc.constantFrom('GET', 'HEAD', 'OPTIONS', 'DELETE'),
      target: fc.constantFrom('', '/Atlas', '/Atlas-v1/Country', '/Nothing', '?format=yaml', '?format=none'),
      accept: fc.constantFrom(undefined, 'text/html', 'application/json;q=0.5, text/markdown', 'a/b', ''),
      encoding: fc.constantFrom(undefined, 'gzip', 'br;q=0', 'identity;q=0'),
      tag: fc.constantFrom(undefined, '*', '"other"'),
      credentials: fc.constantFrom(undefined, basic('guide', 'explore')),
    });
    try {
      await fc.assert(
        fc.asyncProperty(fc.array(asked, { minLength: 1, maxLength: 12 }), async (requests) => {
          for (const { method, target, accept, encoding, tag, credentials } of requests) {
            const given = [
              ['accept', accept],
              ['accept-encoding', encoding],
              ['if-none-match', tag],
              ['authorization', credentials],
            ].filter((field): field is [string, string] => field[1] !== undefined);
            const request = { method, path: DOCUMENTATION + target, headers: given };
            const [one, other] = [await platform.inject(request), await whole.inject(request)];
            expect(withoutNonces(await told(one))).toBe(withoutNonces(await told(other)));
          }
        }),
        { numRuns: 60 },
      );
    } finally {
      await whole.stop();
    }
  });
});

describe('Who listens to requests', () => {
  const heard: string[] = [];
  const { module, counted } = counter();
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [module] })));
  afterAll(() => platform.stop());
  beforeEach(counted);

  it('is heard where they leave while they are asked, and nothing of theirs is kept', async () => {
    const { events } = platform.application;
    await platform.request(`${DOCUMENTATION}?leaving`);
    const leave = events.attach('response', ({ response }) => {
      response.fields.set('X-Passing', 'yes');
      leave();
    });
    const passing = [];
    for (let at = 0; at < 3; at++)
      passing.push((await platform.request(`${DOCUMENTATION}?leaving`)).headers.get('x-passing'));
    expect(passing).toEqual(['yes', null, null]);
  });

  it('is heard at once, also where answers were kept before, and no longer than they listen', async () => {
    const ask = async (): Promise<number> => {
      for (let at = 0; at < 3; at++) await platform.request(DOCUMENTATION);
      return counted();
    };
    expect(await ask()).toBe(1);
    const { events, view } = platform.application;
    const note = ({ request }: MvcEvent): void => void heard.push(request.path);
    const detach = [
      () => events.attach('response', note),
      () => events.attach('*', () => undefined),
      () => view.events.attach('response', () => undefined),
      () => events.attach('authentication', () => undefined),
      () => events.attach('authorization.post', () => undefined),
    ];
    for (const attach of detach) {
      const leave = attach();
      expect(await ask()).toBe(3);
      leave();
      expect(await ask()).toBe(1);
    }
    expect(heard).toHaveLength(3);
  });

  it('is told of each answer when it is complete, kept or not', async () => {
    const told: unknown[] = [];
    const end = platform.application.observers.observe('completed', (event) => {
      told.push([event.request.path, event.response.status, event.endpoint?.name, event.request.id]);
    });
    const ids = [];
    for (let at = 0; at < 3; at++)
      ids.push((await platform.request(`${DOCUMENTATION}/Atlas`)).headers.get('x-request-id'));
    end();
    expect(told).toEqual(ids.map((id) => [`${DOCUMENTATION}/Atlas`, 200, 'documentation', id]));
    expect(counted()).toBe(1);
  });
});

describe('Documentation for users only', () => {
  it('is refused anew each time', async () => {
    const { module, counted } = counter();
    const platform = await startTestPlatform({
      extra: [module],
      local: {
        'platform-mvc-auth': { authorization: { '@documentation': 'authenticated' } },
      },
    });
    try {
      const statuses = [];
      for (let at = 0; at < 2; at++) statuses.push((await platform.request(DOCUMENTATION)).status);
      expect([statuses, counted()]).toEqual([[403, 403], 2]);
    } finally {
      await platform.stop();
    }
  });
});
