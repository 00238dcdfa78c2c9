import { JsonModel, Problem } from '../../../../src/platform';
import { startTestPlatform } from '../../../factories/platform';
import { reusedPlatform } from '../../../factories/reused-platform';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { ShopModule } from '../../../fixtures/shop/shop-module';

describe('a handler that fails', () => {
  const { platform } = reusedPlatform(() =>
    startTestPlatform({ modules: HOSTING, extra: [new ShopModule()] }),
  );
  const trouble = (kind: string) => platform.request(`/v1/shop/trouble?kind=${kind}`);

  it('with a Problem responds with its status, members and headers', async () => {
    const answer = await trouble('problem');
    expect(answer.status).toBe(409);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('retry-after')).toBe('60');
    expect(await answer.json()).toEqual({
      type: 'https://shop.example/errors#sold',
      title: 'Sold',
      status: 409,
      detail: 'Sold already.',
      buyer: 'someone else',
      request_id: expect.any(String) as unknown,
    });
    expect(platform.log.lines).toEqual([]);
  });

  it('with a Problem that a listener sets as the result instead of a view model responds in the same way', async () => {
    const detach = platform.application.events.attach(
      'dispatch',
      (event) => {
        event.viewModel = new JsonModel({ name: 'lamp' });
        event.result = new Problem(409, 'Sold already.', { fields: [['Retry-After', '60']] });
      },
      0,
    );
    const answer = await platform.request('/v1/shop/trouble?kind=number');
    detach();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '60']);
    expect(await answer.json()).toMatchObject({ detail: 'Sold already.' });
  });

  it('with a Problem that a listener sets as the result responds in the same way', async () => {
    const detach = platform.application.events.attach(
      'dispatch',
      (event) => void (event.result = new Problem(409, 'Sold already.', { fields: [['Retry-After', '60']] })),
      0,
    );
    const answer = await platform.request('/v1/shop/trouble?kind=number');
    detach();
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([409, '60']);
    expect(await answer.json()).toMatchObject({
      detail: 'Sold already.',
      request_id: expect.any(String) as unknown,
    });
  });

  it('with a rejected Problem responds in the same way', async () => {
    const answer = await trouble('late');
    expect(answer.status).toBe(410);
    expect(await answer.json()).toMatchObject({ detail: 'It went long ago.' });
  });

  it.each(['error', 'rejection', 'text', 'unserializable'])(
    'with an unexpected error (%s) responds with a bare 500 and logs it',
    async (kind) => {
      const answer = await trouble(kind);
      expect(answer.status).toBe(500);
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      const body = await answer.text();
      expect(JSON.parse(body)).toEqual({
        type: 'https://www.rfc-editor.org/rfc/rfc9110#section-15.6.1',
        title: 'Internal Server Error',
        status: 500,
        detail: 'The server encountered an unexpected condition.',
        request_id: expect.any(String) as unknown,
      });
      expect([body, ...answer.headers.values()].join()).not.toMatch(/hunter2|\.ts|BigInt/);
      expect(platform.log.lines).toEqual([
        {
          level: 'error',
          message: 'The request failed.',
          details: {
            err: expect.anything() as unknown,
            request_id: Reflect.get(Object(JSON.parse(body)), 'request_id') as unknown,
            trace_id: expect.any(String) as unknown,
            method: 'GET',
            path: '/v1/shop/trouble',
          },
        },
      ]);
    },
  );

  it('is logged with the error it threw', async () => {
    await trouble('error');
    const [line] = platform.log.lines;
    expect(line?.details).toMatchObject({ err: new TypeError('the password of the database is hunter2') });
  });

  it('does not affect the next request', async () => {
    await trouble('error');
    expect((await platform.request('/v1/shop/echo')).status).toBe(200);
  });

  it('shows its stack when display_exceptions is on', async () => {
    const local = { view_manager: { display_exceptions: true } };
    const open = await startTestPlatform({ modules: HOSTING, extra: [new ShopModule()], local });
    try {
      const answer = await open.request('/v1/shop/trouble?kind=error');
      expect(answer.status).toBe(500);
      expect(await answer.text()).toContain('TypeError: the password of the database is hunter2');
    } finally {
      await open.stop();
    }
  });
});
