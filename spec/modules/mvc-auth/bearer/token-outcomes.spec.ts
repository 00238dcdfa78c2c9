import { RequestMetrics } from '../../../../src/modules/operations';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING } from '../../../factories/processes/start-refusal';
import { secondsFromNow, signed } from '../../../factories/sign-in/tokens';
import { authentication, CLUB_ADAPTERS, CLUB_FILES, ClubModule } from '../../../fixtures/club-module';
import { basic } from '../../../factories/http/requests';

const SECRET = 'a secret of 32 bytes, or a little more';
const issuedBy = (iss: string, more: object = {}): string =>
  signed({ alg: 'HS256' }, { iss, sub: 'ada', exp: secondsFromNow(300), ...more }, SECRET);

describe('Tokens of several issuers', () => {
  let platform: TestPlatform;
  beforeEach(async () => {
    const jwt = (issuer: string) => ({
      adapter: 'JwtAdapter',
      options: { algorithms: ['HS256'], secret: SECRET, issuer, realm: issuer },
    });
    const { 'platform-mvc-auth': settings } = authentication(
      { ...CLUB_ADAPTERS, one: jwt('one'), two: jwt('two') },
      { Club: ['one', 'two', 'basic'] },
    ) as { 'platform-mvc-auth': object };
    platform = await startTestPlatform({
      modules: [...HOSTING, 'operations'],
      extra: [new ClubModule()],
      files: CLUB_FILES,
      local: { 'platform-mvc-auth': { ...settings, throttling: { per_address: 5 } } },
    });
  });
  afterEach(() => platform.stop());

  const ask = async (authorization: string): Promise<number> =>
    (await platform.request('/club/members', { headers: { Authorization: authorization } })).status;
  const counts = (adapter: string): unknown =>
    Object.fromEntries(
      platform.application.sharedState.find(RequestMetrics)?.authentications.get(adapter) ?? [],
    );

  it('are verified by the adapter of their issuer, next to passwords', async () => {
    for (let i = 0; i < 10; i++) {
      expect(await ask(`Bearer ${issuedBy('one')}`)).toBe(200);
      expect(await ask(`Bearer ${issuedBy('two')}`)).toBe(200);
    }
    expect(await ask(basic('ada', 'password'))).toBe(200);
    expect([counts('one'), counts('two'), counts('basic')]).toEqual([
      { success: 10 },
      { success: 10 },
      { success: 1 },
    ]);
  });

  it('are counted as guesses when they are forged, and refused unread after too many', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 7; i++) statuses.push(await ask(`Bearer ${issuedBy('one')}x${i}`));
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect(await ask(`Bearer ${issuedBy('one')}`)).toBe(429);
    expect(counts('one')).toEqual({ failure: 5, throttled: 3 });
  });

  it('are not counted when they have expired, so that late clients lock nobody out', async () => {
    for (let i = 0; i < 10; i++)
      expect(await ask(`Bearer ${issuedBy('one', { exp: secondsFromNow(-60 - i) })}`)).toBe(401);
    expect(await ask(`Bearer ${issuedBy('one')}`)).toBe(200);
    expect(counts('one')).toEqual({ stale: 10, success: 1 });
  });

  it('expire while they are remembered', async () => {
    const expiring = `Bearer ${issuedBy('one', { exp: secondsFromNow(-3) })}`;
    expect(await ask(expiring)).toBe(200);
    for (let tries = 0; (await ask(expiring)) === 200; tries++) {
      if (tries === 200) throw new Error('The token does not expire.');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    expect(await ask(expiring)).toBe(401);
  });
});
