import fc from 'fast-check';
import { clientRequestId, RequestIds } from '../../../src/framework/http/request-id';
import { startTestPlatform, sampleAuthentication, type TestPlatform } from '../../factories/platform';
import { basic, bodyOf } from '../../factories/requests';
import { GalleryModule } from '../../fixtures/gallery-module';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;

describe('the id of a request', () => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({ extra: [new GalleryModule()], local: sampleAuthentication });
  });
  afterAll(() => platform.stop());
  beforeEach(() => (platform.log.lines.length = 0));

  const ask = (path: string, headers: Record<string, string> = {}) => platform.request(path, { headers });

  it('is the client’s, in the answer, the context and the log', async () => {
    const answer = await ask('/clock', { 'X-Request-Id': 'order-7.~_' });
    expect(answer.headers.get('x-request-id')).toBe('order-7.~_');
    expect(await answer.json()).toEqual({ requestId: 'order-7.~_' });
    expect(platform.log.lines).toEqual([
      {
        level: 'info',
        details: { request_id: 'order-7.~_', hour: 12 },
        message: 'It was asked for the time.',
      },
    ]);
  });

  it('is that of the trace it is part of', async () => {
    expect((await ask('/clock', { traceparent: PARENT })).headers.get('x-request-id')).toBe(TRACE);
    const both = await ask('/clock', { traceparent: PARENT, 'X-Request-Id': 'mine' });
    expect(both.headers.get('x-request-id')).toBe('mine');
  });

  it('is made where there is none, another each time', async () => {
    const ids = await Promise.all(
      Array.from({ length: 20 }, async () => (await ask('/clock')).headers.get('x-request-id')),
    );
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect(id).toMatch(/^[\w.~-]{8,40}$/);
  });

  it.each(['a b', 'a"b', '<script>', 'x'.repeat(129), 'ä', ''])(
    'is made where the client sends %j',
    async (id) => {
      const answer = await ask('/clock', { 'X-Request-Id': Buffer.from(id).toString('latin1') });
      expect(answer.headers.get('x-request-id')).toMatch(/^[\w-]{8,40}$/);
    },
  );

  it('is in problems and in the log of what nobody expected', async () => {
    const answer = await ask('/gallery/guide?kind=circle', { 'X-Request-Id': 'c1' });
    expect(await bodyOf(answer)).toMatchObject({ status: 500, request_id: 'c1' });
    expect(platform.log.lines.at(-1)?.details).toMatchObject({ request_id: 'c1' });
    expect(await bodyOf(await ask('/nowhere', { 'X-Request-Id': 'c2' }))).toMatchObject({ request_id: 'c2' });
    const page = await ask('/nowhere', { 'X-Request-Id': 'c3', Accept: 'text/html' });
    expect(await page.text()).toContain('<code>c3</code>');
  });

  it('is nowhere in a 401', async () => {
    const answer = await ask('/v1/atlas/countries/DE', {
      'X-Request-Id': 'not-in-a-challenge',
      Authorization: basic('guide', 'no'),
    });
    expect(answer.status).toBe(401);
    expect([await answer.text(), ...answer.headers.values()].join()).not.toContain('not-in-a-challenge');
    expect(answer.headers.get('x-request-id')).toBeNull();
  });
});

describe('what a request brings as its id', () => {
  it.each([
    `ff-${TRACE}-00f067aa0ba902b7-01`,
    `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-00f067aa0ba902b7-01`,
    `00-${TRACE}-00f067aa0ba902b7`,
    '',
  ])('is nothing in traceparent: %s', (parent) => {
    expect(clientRequestId(undefined, parent)).toBeUndefined();
  });

  it('may be a trace of a version to come', () => {
    expect(clientRequestId(undefined, `cc-${TRACE}-00f067aa0ba902b7-01-more`)).toBe(TRACE);
  });

  it('is always good for a field and a log', () => {
    fc.assert(
      fc.property(fc.option(fc.string(), { nil: undefined }), fc.string(), (given, parent) => {
        expect(clientRequestId(given, parent) ?? 'x').toMatch(/^[\w.~-]{1,128}$/);
      }),
    );
  });

  it('is no other process’s', () => {
    expect(new RequestIds().next()).not.toBe(new RequestIds().next());
  });
});
