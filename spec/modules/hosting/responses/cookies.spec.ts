import {
  defineApi,
  defineProcedure,
  defineRpcService,
  Problem,
  Response as PlatformResponse,
  serializeCookie,
  type Module,
  type OperationContext,
} from '../../../../src/platform';
import { testContext } from '../../../../src/testing';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';

/** Returned for every request. */
const shared = new PlatformResponse(200, 'shared', [['Set-Cookie', 'own=1']]);
let answer: (context: Pick<OperationContext, 'cookies'>) => unknown = () => null;

const cookies: Module = {
  name: 'cookies',
  requires: ['hosting'],
  apis: [
    defineApi({
      name: 'Cookies',
      versions: {
        1: {
          services: {
            Cookie: defineRpcService({
              route: '/cookie',
              methods: { GET: defineProcedure({ handler: (context) => answer(context) }) },
            }),
          },
        },
      },
    }),
  ],
};

describe('the cookies of a handler', () => {
  let platform: TestPlatform;
  const setBy = async (act: typeof answer, field = ''): Promise<readonly string[]> => {
    answer = act;
    const response = await platform.request('/cookie', { headers: { Cookie: field } });
    return response.headers.getSetCookie();
  };

  beforeAll(async () => {
    platform = await startTestPlatform({ modules: HOSTING, extra: [cookies] });
  });

  afterAll(() => platform.stop());

  it('are those of the request', async () => {
    answer = ({ cookies }) => ({
      one: cookies.get('a'),
      all: cookies.getAll('a'),
      none: cookies.get('z') ?? null,
    });
    const response = await platform.request('/cookie', { headers: { Cookie: 'a=1; b=3; a=2' } });
    expect(await response.json()).toEqual({ one: '1', all: ['1', '2'], none: null });
  });

  it('are set in lines of their own, Secure only where the connection or the cookie requires it', async () => {
    const set = await setBy(({ cookies }) => {
      cookies.set('theme', 'dark', { maxAge: 60 });
      cookies.set('__Host-session', 't0ken');
      cookies.delete('old', { path: '/app' });
      return null;
    });
    expect(set).toEqual([
      'theme=dark; Path=/; HttpOnly; SameSite=Lax; Max-Age=60',
      '__Host-session=t0ken; Path=/; HttpOnly; SameSite=Lax; Secure',
      'old=; Path=/app; HttpOnly; SameSite=Lax; Max-Age=0',
    ]);
  });

  it('are added to a response that is returned, and to no other of the same', async () => {
    const first = await setBy(({ cookies }) => {
      cookies.set('session', 'first');
      return shared;
    });
    expect(first).toEqual(['own=1', 'session=first; Path=/; HttpOnly; SameSite=Lax']);
    expect(await setBy(() => shared)).toEqual(['own=1']);
  });

  it('are not set by errors, unless the problem sets them', async () => {
    const fields = [['Set-Cookie', serializeCookie('session', '', { maxAge: 0 })]] as const;
    const set = await setBy(({ cookies }) => {
      cookies.set('a', '1');
      throw new Problem(401, 'Signed out.', { fields });
    });
    expect(set).toEqual(['session=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0']);
  });

  it('are an error of the handler if they are invalid', async () => {
    answer = ({ cookies }) => {
      cookies.set('a', 'x; Domain=evil.example');
    };
    expect((await platform.request('/cookie')).status).toBe(500);
    expect(platform.log.lines.at(-1)?.details).toMatchObject({
      err: { message: expect.stringContaining('The cookie "a" has an invalid value') as string },
    });
  });

  it('exist in tests without a server', () => {
    const context = testContext({ headers: { Cookie: 'a=1' } });
    expect(context.cookies.get('a')).toBe('1');
    context.cookies.set('b', '2');
    expect(context.event.response.fields.get('Set-Cookie')).toContain('b=2');
  });
});
