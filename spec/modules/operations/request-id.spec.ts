import fc from 'fast-check';
import { clientRequestId, RequestIds } from '../../../src/framework/http/request-id';
import { startTestPlatform, sampleAuthentication, type TestPlatform } from '../../factories/platform';
import { basic, bodyOf } from '../../factories/http/requests';
import { GalleryModule } from '../../fixtures/gallery-module';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('the request ID', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ extra: [new GalleryModule()], local: sampleAuthentication });
  });
  afterAll(() => platform.stop());
  beforeEach(() => (platform.log.lines.length = 0));

  const get = (path: string, headers: Record<string, string> = {}) => platform.request(path, { headers });

  it('of the client is used in the response, the context and the log', async () => {
    const answer = await get('/clock', { 'X-Request-Id': 'order-7.~_' });
    expect(answer.headers.get('x-request-id')).toBe('order-7.~_');
    expect(await answer.json()).toEqual({ requestId: 'order-7.~_' });
    expect(platform.log.lines).toEqual([
      {
        level: 'info',
        details: {
          request_id: 'order-7.~_',
          trace_id: expect.stringMatching(/^[0-9a-f]{32}$/) as unknown,
          hour: 12,
        },
        message: 'The time was requested.',
      },
    ]);
  });

  it('is the ID of the trace', async () => {
    expect((await get('/clock', { traceparent: PARENT })).headers.get('x-request-id')).toBe(TRACE);
    const both = await get('/clock', { traceparent: PARENT, 'X-Request-Id': 'mine' });
    expect(both.headers.get('x-request-id')).toBe('mine');
  });

  it('is generated if there is none, and unique', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await get('/clock')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[\w.~-]{8,40}$/);
  });

  it.each(['a b', 'a"b', '<script>', 'x'.repeat(129), 'ä', ''])(
    'is generated if the client sends %j',
    async (id) => {
      const answer = await get('/clock', { 'X-Request-Id': Buffer.from(id).toString('latin1') });
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,40}$/);
    },
  );

  it('is in problems and in the log of unexpected errors', async () => {
    const answer = await get('/gallery/guide?kind=circle', { 'X-Request-Id': 'c1' });
    expect(await bodyOf(answer)).toMatchObject({ status: 500, request_id: 'c1' });
    expect(platform.log.lines.at(-1)?.details).toMatchObject({ request_id: 'c1' });
    expect(await bodyOf(await get('/nowhere', { 'X-Request-Id': 'c2' }))).toMatchObject({ request_id: 'c2' });
    const page = await get('/nowhere', { 'X-Request-Id': 'c3', Accept: 'text/html' });
    expect(await page.text()).toContain('<code>c3</code>');
  });

  it('is not in a 401', async () => {
    const answer = await get('/v1/atlas/countries/DE', {
      'X-Request-Id': 'not-in-a-challenge',
      Authorization: basic('guide', 'no'),
    });
    expect(answer.status).toBe(401);
    expect([await answer.text(), ...answer.headers.values()].join()).not.toContain('not-in-a-challenge');
    expect(answer.headers.get('x-request-id')).toBeNull();
  });
});

describe('the request ID of the client', () => {
  it.each([
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7`,
    '',
  ])('is not read from traceparent: %s', (parent) => {
    expect(clientRequestId(undefined, parent)).toBeUndefined();
  });

  it('may be a trace of a future version', () => {
    expect(clientRequestId(undefined, `cc-${TRACE}-00f067aa0ba902b7-01-more`)).toBe(TRACE);
  });

  it('is always valid in a header field and in a log', () => {
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), fc.string(), (clientId, parent) => {
        expect(clientRequestId(clientId, parent) ?? 'x').toMatch(/^[\w.~-]{1,128}$/);
      }),
    );
  });

  it('differs between processes', () => {
    expect(new RequestIds().next()).not.toBe(new RequestIds().next());
  });
});
