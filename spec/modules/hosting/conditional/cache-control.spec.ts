import { defineApi, defineProcedure, defineRpcService } from '../../../../src/platform';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/start-refusal';
import { GalleryModule } from '../../../fixtures/gallery-module';

describe('the Cache-Control of an operation', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform({ extra: [new GalleryModule()] })));
  afterAll(() => platform.stop());

  it.each([
    ['/gallery/pictures', 'public, max-age=60'],
    ['/gallery/pictures/1', 'no-cache'],
    ['/clock', 'no-store'],
  ])('is sent with the response to %s', async (path, value) => {
    const answer = await platform.request(path);
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, value]);
    expect((await platform.request(path, { method: 'HEAD' })).headers.get('cache-control')).toBe(value);
  });

  it.each(['/gallery/pictures/99', '/gallery/pictures?page=99', '/gallery/pictures?page=x'])(
    'is not sent with the problem response to %s',
    async (path) => {
      const answer = await platform.request(path);
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers.get('cache-control')).toBeNull();
    },
  );

  it.each(['', 'public max-age', 'a,,b', 'x\r\nSet-Cookie: a=b'])('cannot be %j', async (value) => {
    const service = defineRpcService({
      route: '/x',
      methods: { GET: defineProcedure({ cache_control: value, handler: () => 1 }) },
    });
    const apis = [defineApi({ name: 'Wrong', versions: { 1: { services: { One: service } } } })];
    const starting = startTestPlatform({
      modules: HOSTING,
      extra: [{ name: 'wrong', requires: ['hosting'], apis }],
    });
    await expect(starting).rejects.toThrow('Wrong-v1/One GET: cache_control is');
  });
});
