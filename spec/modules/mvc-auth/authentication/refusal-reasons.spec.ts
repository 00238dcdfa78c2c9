import type { ConfigObject } from '../../../../src/framework';
import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import { Guard } from '../../../../src/modules/mvc-auth/adapters/guard';
import { AuthListeners } from '../../../../src/modules/mvc-auth/auth-listeners';
import { Throttle } from '../../../../src/modules/mvc-auth/throttling/throttle';
import { ThrottleState } from '../../../../src/modules/mvc-auth/throttling/throttle-state';
import { EventManager, type ApplicationEvents } from '../../../../src/platform';
import { testEvent } from '../../../../src/testing';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { answerTo, challengeOf } from '../../../factories/sign-in/digest-client';
import { secondsFromNow, signed } from '../../../factories/sign-in/tokens';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';
import { sendRaw } from '../../../factories/http/raw-http';
import { basic } from '../../../factories/http/requests';

const SECRET = 'a secret of 32 bytes, or a little more';
const CLAIMS = { iss: 'club', aud: 'members', sub: 'ada', exp: secondsFromNow(300) };
const tokenOf = (claims: object, header: object = { alg: 'HS256' }, secret = SECRET): string =>
  signed(header, claims, secret);

describe('The reason that an adapter of a module returns', () => {
  it.each([
    ['is shortened', 'x'.repeat(1_000), [expect.stringMatching(/: x{500}…$/)]],
    ['is not logged unless it is text', Symbol('reason'), []],
  ])('%s', (_, reason, expected) => {
    const adapter: AuthenticationAdapter = {
      name: 'quick',
      schemes: ['Quick'],
      takes: () => true,
      authenticate: () => ({ outcome: 'refused', stale: false, reason: reason as string }),
      challenges: () => [],
      warnings: [],
      dispose: () => undefined,
    };
    const settings = { enabled: true, failures: 10, per_address: 100, window: 60 };
    const events = new EventManager<ApplicationEvents>();
    events.attachGroup(new AuthListeners(new Throttle(settings, new ThrottleState())));
    const info = jest.fn<undefined, [object, string]>();
    const event = testEvent({ headers: { Authorization: ['Quick x'] } });
    Object.defineProperty(event, 'log', { value: { info } });
    event.guard = new Guard([adapter], [{ name: 'quick', realm: 'Quick', schemes: ['quick'] }]);
    event.access = ['ada'];
    expect(() => events.trigger('route', event)).toThrow(expect.objectContaining({ status: 401 }) as Error);
    expect(info.mock.calls.map(([, message]) => message)).toEqual(expected);
  });
});

describe('The reason of a 401', () => {
  let platform: TestPlatform;
  afterEach(() => platform.stop());

  async function start(adapters: ConfigObject, map: readonly string[]): Promise<void> {
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [new ClubModule()],
      files: CLUB_FILES,
      local: authentication({ ...CLUB_ADAPTERS, ...adapters }, { Club: [...map] }),
    });
  }
  const startJwt = (): Promise<void> => {
    const options = { algorithms: ['HS256'], secret: SECRET, issuer: 'club', audience: 'members' };
    return start({ tokens: { adapter: 'JwtAdapter', options } }, ['tokens']);
  };
  const refused = async (headers: HeadersInit): Promise<void> => {
    expect((await platform.request('/club/hall', { headers })).status).toBe(401);
  };
  const bearer = (token: string) => refused({ Authorization: `Bearer ${token}` });
  const reasons = (): readonly string[] =>
    platform.log.lines
      .filter(({ message }) => message.startsWith('Credentials were refused: '))
      .map(({ message }) => message.slice('Credentials were refused: '.length));

  it.each([
    ['a name that is a number', { ...CLAIMS, sub: 7 }, /the claim "sub", .* is a number, not a string\.$/],
    ['no name', { ...CLAIMS, sub: undefined }, /the claim "sub", .* is missing\.$/],
    ['an empty name', { ...CLAIMS, sub: '' }, /the claim "sub", .* is empty\.$/],
    ['an invisible character in its name', { ...CLAIMS, sub: 'a\u202eb' }, /has control characters/],
    ['a long name', { ...CLAIMS, sub: 'a'.repeat(257) }, /has more than 256 characters\.$/],
    ['another audience', { ...CLAIMS, aud: 'others' }, /unexpected "aud" claim value\.$/],
    ['another issuer', { ...CLAIMS, iss: 'pub' }, /^The token has another "iss" than "club"\.$/],
    ['no end', { ...CLAIMS, exp: undefined }, /missing required "exp" claim\.$/],
    ['a key of its client', { ...CLAIMS, cnf: {} }, /bound to a key of its client/],
  ])('is in the log for a token with %s, without its values', async (_, claims, reason) => {
    await startJwt();
    await bearer(tokenOf(claims));
    expect(reasons()).toEqual([expect.stringMatching(reason)]);
    const line = platform.log.lines.find(({ message }) => message.includes('refused'));
    expect(line).toMatchObject({ level: 'info', details: { module: 'mvc-auth', adapter: 'tokens' } });
    const messages = platform.log.lines.map(({ message }) => message);
    expect(messages.join()).not.toMatch(/others|pub|eyJ/);
  });

  it('is in the log for a token with another algorithm, another key, and one that is not a JWT', async () => {
    await startJwt();
    await bearer(tokenOf(CLAIMS, { alg: 'HS512' }, SECRET + SECRET));
    await bearer(tokenOf(CLAIMS, { alg: 'HS256' }, SECRET + SECRET));
    await bearer('guessed');
    expect(reasons()).toEqual([
      'The token has another "alg" than HS256.',
      'No key of the issuer verifies the signature of the token.',
      expect.stringMatching(/^The token is not a signed JWT/),
    ]);
  });

  it('is in the log once, however often clients repeat it', async () => {
    await startJwt();
    for (let i = 0; i < 5; i++) await bearer(tokenOf({ ...CLAIMS, sub: i }));
    expect(reasons()).toHaveLength(1);
  });

  it('is not in the log while another adapter accepts the token', async () => {
    const jwt = (issuer: string) => ({
      adapter: 'JwtAdapter',
      options: { algorithms: ['HS256'], secret: SECRET, issuer },
    });
    await start({ one: jwt('pub'), two: jwt('club') }, ['one', 'two']);
    const headers = { Authorization: `Bearer ${tokenOf(CLAIMS)}` };
    expect((await platform.request('/club/hall', { headers })).status).toBe(200);
    expect(reasons()).toEqual([]);
  });

  it('is in the log for another scheme, malformed credentials, and several', async () => {
    await start({}, ['basic']);
    await refused({ Authorization: 'Foo x' });
    await refused({ Authorization: 'Basic !' });
    expect(reasons()).toEqual([expect.stringMatching(/^They are malformed, of a scheme that no adapter/)]);
    const line = `Authorization: ${basic('ada', PASSWORD)}\r\n`;
    const request = `GET /club/hall HTTP/1.1\r\nHost: x\r\n${line}${line}Connection: close\r\n\r\n`;
    const twice = await sendRaw(platform.origin, request);
    expect([twice.status, reasons().at(-1)]).toEqual([
      401,
      'The request has several credentials. Clients must send one.',
    ]);
  });

  it('is in the log for Digest credentials of another target, as behind a proxy that rewrites paths', async () => {
    await start({}, ['digest']);
    const challenge = challengeOf(await platform.request('/club/members'));
    await refused({
      Authorization: answerTo(challenge, { username: 'ada', password: PASSWORD, uri: '/api/club/hall' }),
    });
    expect(reasons()).toEqual([expect.stringContaining('uri with the request target')]);
  });

  it('is not in the log for a wrong password, whose line would reveal by its time who exists', async () => {
    await start({}, ['basic']);
    for (const name of ['ada', 'nobody']) await refused({ Authorization: basic(name, 'wrong') });
    expect(reasons()).toEqual([]);
  });
});
