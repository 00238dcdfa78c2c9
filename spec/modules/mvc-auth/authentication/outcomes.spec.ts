import { basic, bodyOf } from '../../../factories/http/requests';
import { answerTo, challengeOf, DigestClient } from '../../../factories/sign-in/digest-client';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { HOSTING } from '../../../factories/processes/start-refusal';
import {
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';

const OPEN = '/club/hall';
const CLOSED = '/club/members';
const BOARD = '/club/board';

const unauthorized = {
  type: expect.stringMatching(/^https:\/\//) as unknown,
  title: 'Unauthorized',
  status: 401,
  detail: 'Unauthorized',
};

let platform: TestPlatform;
const start = async (adapter: string): Promise<void> => {
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [new ClubModule()],
    files: CLUB_FILES,
    local: authentication(CLUB_ADAPTERS, { Club: adapter }),
  });
};
const challenge = async (): Promise<string> => challengeOf(await platform.request(CLOSED));
const ask = (path: string, authorization?: string, more: Record<string, string> = {}): Promise<Response> =>
  platform.request(path, {
    headers: { ...more, ...(authorization === undefined ? {} : { Authorization: authorization }) },
  });

/** The `Authorization` header of a user for a path. */
type SignIn = (path: string, username: string, password?: string) => Promise<string>;

const signIns: Readonly<Record<string, SignIn>> = {
  basic: (_path, username, password = PASSWORD) => Promise.resolve(basic(username, password)),
  digest: async (uri, username, password = PASSWORD) =>
    answerTo(await challenge(), { username, password, uri }),
};

describe.each(Object.entries(signIns))('an API guarded by %s', (scheme, signIn) => {
  beforeAll(() => start(scheme));
  afterAll(() => platform.stop());

  it('treats a request without credentials as a guest, without a challenge', async () => {
    const answer = await ask(OPEN);
    expect(answer.status).toBe(200);
    expect(answer.headers.has('www-authenticate')).toBe(false);
    expect(await bodyOf(answer)).toMatchObject({ name: null, isGuest: true });
  });

  it('challenges a guest where guests are not allowed', async () => {
    const answer = await ask(CLOSED);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toMatch(scheme === 'basic' ? /^Basic / : /^Digest /);
    expect(await answer.json()).toEqual(unauthorized);
  });

  it.each([OPEN, CLOSED, BOARD])('identifies the user of valid credentials at %s', async (path) => {
    const answer = await ask(path, await signIn(path, 'ada'));
    expect(answer.status).toBe(200);
    expect(answer.headers.has('www-authenticate')).toBe(false);
    expect(await bodyOf(answer)).toMatchObject({ name: 'ada', isGuest: false });
  });

  it('responds 403 to a user without permission, without a challenge', async () => {
    const answer = await ask(BOARD, await signIn(BOARD, 'bob'));
    expect(answer.status).toBe(403);
    expect(answer.headers.has('www-authenticate')).toBe(false);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(await bodyOf(answer)).toMatchObject({ status: 403, title: 'Forbidden' });
  });

  describe('rejects', () => {
    const wrong: readonly (readonly [string, (path: string) => Promise<string>])[] = [
      ['a wrong password', (path) => signIn(path, 'ada', 'wrong')],
      ['an empty password', (path) => signIn(path, 'ada', '')],
      ['an unknown user', (path) => signIn(path, 'eve')],
      ['a user without a name', (path) => signIn(path, '')],
      ['truncated credentials', async (path) => (await signIn(path, 'ada')).slice(0, 12)],
      ['credentials with trailing text', async (path) => `${await signIn(path, 'ada')} x`],
      ['a scheme without credentials', () => Promise.resolve(scheme)],
      ['an unsupported scheme', () => Promise.resolve('Bearer abc')],
      [
        'the scheme of another adapter',
        () => Promise.resolve(scheme === 'basic' ? 'Digest username="ada"' : basic('ada', PASSWORD)),
      ],
      ['an empty header', () => Promise.resolve('')],
      ['text that is not a scheme', () => Promise.resolve('"ada"')],
    ];
    it.each(wrong)('%s, in every location, with the same response', async (_what, credentials) => {
      for (const path of [OPEN, CLOSED, BOARD]) {
        const answer = await ask(path, await credentials(path));
        expect(answer.status).toBe(401);
        expect(await answer.json()).toEqual(unauthorized);
        expect(answer.headers.get('content-type')).toBe('application/problem+json');
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(challengeOf(answer)).toMatch(scheme === 'basic' ? /^Basic / : /^Digest /);
        expect(challengeOf(answer)).not.toContain('stale=true');
        const guest = await ask(CLOSED);
        expect([...answer.headers.keys()].sort()).toEqual([...guest.headers.keys()].sort());
      }
    });

    it('two headers with valid credentials, which might belong to different users', async () => {
      const lines = [await signIn(OPEN, 'ada'), await signIn(OPEN, 'bob')].map(
        (value) => `Authorization: ${value}\r\n`,
      );
      const answer = await sendRaw(
        platform.origin,
        `GET ${OPEN} HTTP/1.1\r\nHost: x\r\n${lines.join('')}Connection: close\r\n\r\n`,
      );
      expect(answer.status).toBe(401);
      expect(JSON.parse(answer.body)).toEqual(unauthorized);
    });

    it('in JSON, even when a page was requested', async () => {
      const answer = await ask(CLOSED, undefined, { Accept: 'text/html' });
      expect(answer.headers.get('content-type')).toBe('application/problem+json');
      expect(await answer.json()).toEqual(unauthorized);
    });

    it('HEAD with the challenge and no body', async () => {
      const answer = await platform.request(CLOSED, { method: 'HEAD' });
      expect(answer.status).toBe(401);
      expect(answer.headers.has('www-authenticate')).toBe(true);
      expect(await answer.text()).toBe('');
    });
  });

  it('responds to OPTIONS for anyone, as preflights have no credentials', async () => {
    const answer = await platform.request(CLOSED, {
      method: 'OPTIONS',
      headers: { Authorization: 'Bearer abc' },
    });
    expect(answer.status).toBe(204);
  });

  it('rejects bad credentials before it checks the method', async () => {
    const answer = await platform.request(OPEN, {
      method: 'DELETE',
      headers: { Authorization: 'Bearer abc' },
    });
    expect(answer.status).toBe(401);
  });
});

describe('an API guarded by Digest', () => {
  beforeAll(() => start('digest'));
  afterAll(() => platform.stop());

  it('sends Authentication-Info, and accepts further requests with the nonce', async () => {
    const client = new DigestClient({ username: 'ada', password: PASSWORD });
    for (const path of [CLOSED, OPEN, BOARD]) {
      const answer = await client.fetch(platform.origin + path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('authentication-info')).toMatch(/rspauth="[0-9a-f]{64}"/);
    }
  });

  it('accepts credentials for their target only, query included', async () => {
    const authorization = answerTo(await challenge(), {
      username: 'ada',
      password: PASSWORD,
      uri: '/club/members',
    });
    expect((await ask('/club/members?a=1', authorization)).status).toBe(401);
    expect((await ask('/v1/club/members', authorization)).status).toBe(401);
    expect((await ask('/club/members', authorization)).status).toBe(200);
  });

  it('rejects reused credentials, and marks only the nonce as stale', async () => {
    const authorization = await signIns.digest!(CLOSED, 'ada');
    expect((await ask(CLOSED, authorization)).status).toBe(200);
    const replay = await ask(CLOSED, authorization);
    expect(replay.status).toBe(401);
    expect(challengeOf(replay)).toContain('stale=true');
    expect(await replay.json()).toEqual(unauthorized);
  });

  it.each([
    ['another realm', { realm: '"Annex"' }],
    ['another opaque', { opaque: '"x"' }],
    ['no opaque', { opaque: undefined }],
    ['an algorithm that was not offered', { algorithm: 'SHA-512-256' }],
    ['a quality of protection that was not offered', { qop: 'auth-conf' }],
    ['no quality of protection', { qop: undefined }],
    ['no response', { response: undefined }],
    ['a count that is not hexadecimal', { nc: 'zzzzzzzz' }],
    ['count zero', { nc: '00000000' }],
    ['a nonce of another server', { nonce: '"abc"' }],
  ])('rejects %s', async (_what, change) => {
    const made = { username: 'ada', password: PASSWORD, uri: OPEN };
    expect((await ask(OPEN, answerTo(await challenge(), { ...made, change }))).status).toBe(401);
    expect((await ask(OPEN, answerTo(await challenge(), made))).status).toBe(200);
  });
});
