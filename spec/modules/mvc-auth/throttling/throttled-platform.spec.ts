import { hashSync } from '@node-rs/bcrypt';
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { buildApplication, type ConfigObject } from '../../../../src/platform';
import { advanceClock } from '../../../factories/measure/advance-clock';
import { cpuTimeOf } from '../../../factories/measure/cpu-time';
import { answerTo, challengeOf } from '../../../factories/sign-in/digest-client';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, bodyOf } from '../../../factories/http/requests';
import { HOSTING } from '../../../factories/processes/start-refusal';
import {
  adapter,
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';

const project = (
  adapterName: string,
  throttling: ConfigObject,
  files: Record<string, string> = CLUB_FILES,
) => ({
  modules: HOSTING,
  extra: [new ClubModule()],
  files,
  local: {
    'platform-mvc-auth': {
      ...(authentication(CLUB_ADAPTERS, { Club: adapterName })['platform-mvc-auth'] as ConfigObject),
      throttling,
    },
  },
});

let platform: TestPlatform;
afterEach(() => {
  jest.restoreAllMocks();
  return platform.stop();
});
const start = async (...args: Parameters<typeof project>): Promise<void> => {
  platform = await startTestPlatform(project(...args));
};
const ask = (authorization: string, path = '/club/members'): Promise<Response> =>
  platform.request(path, { headers: { Authorization: authorization } });
const statuses = async (authorization: string, times: number): Promise<number[]> => {
  const all: number[] = [];
  for (let index = 0; index < times; index++) all.push((await ask(authorization)).status);
  return all;
};

describe('guessing Basic passwords', () => {
  it('is rejected after too many failures with 429 and Retry-After, and nothing else', async () => {
    await start('basic', { failures: 3 });
    expect(await statuses(basic('ada', 'wrong'), 4)).toEqual([401, 401, 401, 429]);
    const known = await ask(basic('ada', PASSWORD));
    expect(known.status).toBe(429);
    expect(await statuses(basic('nobody', 'wrong'), 4)).toEqual([401, 401, 401, 429]);
    const unknown = await ask(basic('nobody', PASSWORD));
    const seconds = Number(known.headers.get('retry-after'));
    expect(seconds).toBeGreaterThan(0);
    expect(seconds).toBeLessThanOrEqual(60);
    expect([...known.headers.keys()]).toEqual([...unknown.headers.keys()]);
    expect(known.headers.get('cache-control')).toBe('no-store');
    expect(known.headers.has('www-authenticate')).toBe(false);
    const body = await bodyOf(known);
    expect(Object.keys(body)).toEqual(['type', 'title', 'status', 'detail', 'request_id']);
    expect(body).toMatchObject({
      status: 429,
      detail: `Too many failed sign-ins. Try again in ${seconds} seconds.`,
    });
    expect(Object.keys(await bodyOf(unknown))).toEqual(Object.keys(body));
  });

  it('is rejected on operations that are open to guests too, who continue without credentials', async () => {
    await start('basic', { failures: 1 });
    expect((await ask(basic('ada', 'wrong'), '/club/hall')).status).toBe(401);
    expect((await ask(basic('ada', 'wrong'), '/club/hall')).status).toBe(429);
    expect((await platform.request('/club/hall')).status).toBe(200);
    expect((await ask(basic('bob', PASSWORD), '/club/hall')).status).toBe(200);
  });

  it('resets after a sign-in, and when the window ends', async () => {
    await start('basic', { failures: 2, window: 60 });
    for (let round = 0; round < 3; round++) {
      expect((await ask(basic('ada', 'wrong'))).status).toBe(401);
      expect((await ask(basic('ada', PASSWORD))).status).toBe(200);
    }
    expect(await statuses(basic('ada', 'wrong'), 3)).toEqual([401, 401, 429]);
    advanceClock(30);
    expect((await ask(basic('ada', PASSWORD))).status).toBe(429);
    advanceClock(30);
    expect((await ask(basic('ada', PASSWORD))).status).toBe(200);
  });

  it('does not include credentials without a password', async () => {
    await start('basic', { failures: 1, per_address: 1 });
    for (const authorization of ['Basic', 'Basic !', 'Bearer abc', 'Digest username="ada"'])
      expect(await statuses(authorization, 3)).toEqual([401, 401, 401]);
    expect((await ask(basic('ada', PASSWORD))).status).toBe(200);
  });

  it('has no advantage from concurrent guesses, and concurrent requests of a browser are unaffected', async () => {
    const slow = { ...CLUB_FILES, 'config/people.htpasswd': `ada:${hashSync(PASSWORD, { cost: 9 })}\n` };
    await start('basic', { failures: 5, per_address: 1000 }, slow);
    const right = await Promise.all(Array.from({ length: 20 }, () => ask(basic('ada', PASSWORD))));
    expect(new Set(right.map(({ status }) => status))).toEqual(new Set([200]));
    const guesses = await Promise.all(
      Array.from({ length: 40 }, (_, index) => ask(basic('ada', `guess ${index}`))),
    );
    const verified = guesses.filter(({ status }) => status === 401);
    expect(verified.length).toBeGreaterThan(0);
    expect(verified.length).toBeLessThanOrEqual(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(40 - verified.length);
  });

  it('is rejected before a password is hashed', async () => {
    const slow = { ...CLUB_FILES, 'config/people.htpasswd': `ada:${hashSync(PASSWORD, { cost: 12 })}\n` };
    await start('basic', { failures: 1 }, slow);
    const hashing = await cpuTimeOf(async () => {
      expect((await ask(basic('ada', 'wrong'))).status).toBe(401);
    });
    const refusing = await cpuTimeOf(async () => {
      expect(await statuses(basic('ada', 'wrong'), 10)).toEqual(Array.from({ length: 10 }, () => 429));
    });
    // Ten that hashed would use ten times the CPU time of the first.
    expect(refusing).toBeLessThan(5 * hashing);
  });

  it('is not reset by a configuration change', async () => {
    await start('basic', { failures: 2 });
    expect(await statuses(basic('ada', 'wrong'), 3)).toEqual([401, 401, 429]);
    const { configuration, modules, sharedState, log } = platform.application;
    await platform.server.swap(await buildApplication({ configuration, modules, sharedState, log }));
    expect((await ask(basic('ada', PASSWORD))).status).toBe(429);
    expect((await ask(basic('bob', PASSWORD))).status).toBe(200);
  });

  it('is unlimited when the operator disables throttling', async () => {
    await start('basic', { enabled: false, failures: 1 });
    expect(await statuses(basic('ada', 'wrong'), 5)).toEqual([401, 401, 401, 401, 401]);
  });
});

describe('guessing Digest passwords', () => {
  const signIn = async (username: string, password: string, more = {}): Promise<string> =>
    answerTo(challengeOf(await platform.request('/club/members')), {
      username,
      password,
      uri: '/club/members',
      ...more,
    });

  it('is rejected after too many failures, with userhash counted for its user', async () => {
    await start('digest', { failures: 2 });
    expect((await ask(await signIn('ada', 'wrong'))).status).toBe(401);
    expect((await ask(await signIn('ada', 'wrong', { userhash: true }))).status).toBe(401);
    expect((await ask(await signIn('ada', PASSWORD))).status).toBe(429);
    expect((await ask(await signIn('bob', PASSWORD))).status).toBe(200);
  });

  it('does not include a stale nonce', async () => {
    await start('digest', { failures: 1, per_address: 1 });
    const used = await signIn('ada', PASSWORD);
    expect((await ask(used)).status).toBe(200);
    expect(await statuses(used, 5)).toEqual([401, 401, 401, 401, 401]);
    expect((await ask(await signIn('ada', PASSWORD))).status).toBe(200);
  });

  it('does not include a digest for another realm or target', async () => {
    await start('digest', { failures: 1, per_address: 1 });
    for (const change of [{ realm: '"x"' }, { uri: '"/x"' }, { opaque: '"x"' }])
      expect((await ask(await signIn('ada', PASSWORD, { change }))).status).toBe(401);
    expect((await ask(await signIn('ada', PASSWORD))).status).toBe(200);
  });

  it('has no advantage from concurrent guesses whose bodies are withheld until all are being verified', async () => {
    const options = { ...(CLUB_ADAPTERS.digest.options as ConfigObject), qop: ['auth-int'] };
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [new ClubModule()],
      files: CLUB_FILES,
      local: {
        'platform-mvc-auth': {
          ...(authentication({ own: adapter(options) }, { Club: 'own' })[
            'platform-mvc-auth'
          ] as ConfigObject),
          throttling: { failures: 5, per_address: 1000 },
        },
      },
    });
    const challenge = challengeOf(await platform.request('/club/members'));
    const body = '{"text":"Hello"}';
    const guesses = Array.from({ length: 30 }, (_, at) => {
      const password = at === 29 ? PASSWORD : `guess ${at}`;
      const sent = request(`${platform.origin}/club/notes`, {
        agent: false,
        method: 'POST',
        headers: {
          'Content-Type': 'application/json',
          'Content-Length': body.length,
          Authorization: answerTo(challenge, {
            username: 'ada',
            password,
            method: 'POST',
            uri: '/club/notes',
            body,
            nc: at + 1,
          }),
        },
      });
      sent.flushHeaders();
      return { sent, answer: once(sent, 'response') as Promise<[IncomingMessage]> };
    });
    await delay(300);
    const results: (number | undefined)[] = [];
    for (const { sent, answer } of guesses) {
      sent.end(body);
      const [incoming] = await answer;
      incoming.resume();
      results.push(incoming.statusCode);
    }
    expect(results).toEqual(Array.from({ length: 30 }, (_, at) => (at < 5 ? 401 : 429)));
  });
});
