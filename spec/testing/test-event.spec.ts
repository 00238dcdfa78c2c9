import { EventManager, type ApplicationEvents } from '../../src/platform';
import { MemoryLog, testEvent, testRequest } from '../../src/testing';

describe('A test request', () => {
  it('is GET / by default', () => {
    const request = testRequest();
    expect([request.method, request.path, request.rawQuery, request.hasBody]).toEqual([
      'GET',
      '/',
      '',
      false,
    ]);
    expect(request.address).toBe('');
  });

  it('has its header fields, case-insensitive, with all lines', () => {
    const request = testRequest({ headers: { Accept: 'text/html', 'X-Tag': ['a', 'b'] } });
    expect(request.header('accept')).toBe('text/html');
    expect(request.header('x-tag')).toBe('a, b');
    expect(request.headerLines('x-tag')).toEqual(['a', 'b']);
  });

  it.each([
    ['a Headers', new Headers({ 'X-Tag': 'a', Accept: 'text/html' })],
    ['a Map', new Map([['X-Tag', 'a']])],
    ['a list of pairs', [['X-Tag', 'a']] as const],
  ])('accepts header fields as %s', (_, headers) => {
    expect(testRequest({ headers }).header('x-tag')).toBe('a');
  });

  it('rejects invalid options', () => {
    const odd = { paht: '/' };
    expect(() => testRequest(odd as object)).toThrow(
      'testRequest(): unknown option "paht". Did you mean "path"? Supported: method, path, headers, body, json.',
    );
    expect(() => testEvent({ json: 1, body: '1' })).toThrow(
      'testEvent(): "json" and "body" are mutually exclusive. Pass one of them.',
    );
  });

  it('has a body that is read like any other, up to a limit', async () => {
    const request = testRequest({ method: 'POST', json: { text: 'Grüße' } });
    expect(request.header('content-type')).toBe('application/json');
    expect(request.hasBody).toBe(true);
    expect(JSON.parse((await request.read(100)).toString())).toEqual({ text: 'Grüße' });
    await expect(testRequest({ method: 'POST', body: 'too much' }).read(3)).rejects.toMatchObject({
      status: 413,
    });
    const typed = testRequest({ json: [], headers: { 'content-type': 'application/merge-patch+json' } });
    expect(typed.headerLines('content-type')).toEqual(['application/merge-patch+json']);
  });

  it('can be wrapped in an event, for listeners', async () => {
    const events = new EventManager<ApplicationEvents>();
    events.attach('route', (event) => {
      event.log.warn({}, `Requested ${event.request.path}.`);
    });
    const log = new MemoryLog();
    await events.trigger('route', testEvent({ path: '/a?b', headers: { 'X-Request-Id': 'x' } }, log));
    expect(log.lines).toEqual([
      {
        level: 'warn',
        details: { request_id: 'x', trace_id: expect.any(String) as unknown },
        message: 'Requested /a.',
      },
    ]);
  });
});
