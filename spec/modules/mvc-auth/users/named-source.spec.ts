import { hash } from 'node:crypto';
import { ContainerModule } from 'inversify';
import { answerTo, challengeOf, DigestClient, parameterOf } from '../../../factories/sign-in/digest-client';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { basic, bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { authentication, ClubModule } from '../../../fixtures/club-module';
import { errorMessage, type ConfigObject } from '../../../../src/framework';
import type { DigestSource, GroupSource, Module, PasswordSource } from '../../../../src/platform';

/** Knows every user of a directory; may be out of reach. */
class Directory implements PasswordSource, DigestSource, GroupSource {
  readonly algorithms = ['SHA-256'] as const;
  isDown = false;

  async verify(username: string, password: string): Promise<boolean> {
    await this.#ask();
    return username === 'ada' && password === 'secret';
  }

  secretOf(username: string): string | undefined {
    if (this.isDown) throw new Error('the directory does not respond');
    return username === 'ada' ? hash('sha256', 'ada:Club:secret') : undefined;
  }

  groupsOf(username: string): readonly string[] {
    return username === 'ada' ? ['staff'] : [];
  }

  #ask(): Promise<void> {
    return this.isDown ? Promise.reject(new Error('the directory does not respond')) : Promise.resolve();
  }
}

/** As modules in plain JavaScript may be written: what they do not find is undefined or null. */
const passwords = new Map([['ada', 'secret']]);
const looseSource = {
  algorithms: ['SHA-256'],
  verify: (name: string, password: string) => {
    const known = passwords.get(name);
    return known && known === password;
  },
  secretOf: (name: string) => (passwords.has(name) ? hash('sha256', `${name}:Club:secret`) : null),
  groupsOf: () => null,
};

const directory = new Directory();
const directoryModule = (): Module => ({
  name: 'directory',
  services: new ContainerModule(({ bind }) => {
    bind('Directory').toConstantValue(directory);
    bind('Loose').toConstantValue(looseSource);
    bind('Forgetful').toConstantValue({
      verify: () => true,
      recall: () => {
        throw new Error('the cache is gone');
      },
    });
    bind('Dreamy').toConstantValue({
      ...looseSource,
      recall: () => Promise.reject(new Error('the cache is gone')),
      usernameOf: () => Promise.reject(new Error('the directory does not respond')),
    });
    bind('Talkative').toConstantValue({ verify: () => ({ isCorrect: false }) });
    bind('Asynchronous').toConstantValue({ verify: () => Promise.resolve({ isCorrect: false }) });
    bind('Wordy').toConstantValue({ verify: () => Promise.resolve('wrong password') });
    bind('Blank').toConstantValue({ ...looseSource, secretOf: () => '' });
    bind('Plain').toConstantValue({ ...looseSource, secretOf: () => 'secret' });
    bind('Capital').toConstantValue({
      ...looseSource,
      secretOf: () => hash('sha256', 'ada:Club:secret').toUpperCase(),
    });
    bind('Mute').toConstantValue({ groupsOf: () => [] });
  }),
});
const project = (source: string) => ({
  modules: HOSTING,
  extra: [new ClubModule(), directoryModule()],
  local: authentication(
    {
      basic: { adapter: 'HttpAdapter', options: { accept_schemes: ['basic'], realm: 'Club', source } },
      digest: {
        adapter: 'HttpAdapter',
        options: { accept_schemes: ['digest'], realm: 'Club', nonce_timeout: '60', source },
      },
    },
    { Club: 'basic', Annex: 'digest' },
    { Annex: { Door: { GET: ['@staff'] } } },
  ),
});

describe('users of a service that a module binds', () => {
  let platform: TestPlatform;
  beforeAll(async () => (platform = await startTestPlatform(project('Directory'))));
  afterAll(() => platform.stop());
  afterEach(() => (directory.isDown = false));

  const ask = (name: string, password: string): Promise<Response> =>
    platform.request('/club/members', { headers: { Authorization: basic(name, password) } });
  const digestStatus = async (password: string): Promise<number> =>
    (await new DigestClient({ username: 'ada', password }).fetch(`${platform.origin}/annex/door`)).status;

  it('signs in with Basic and Digest, with the groups of the service', async () => {
    const answer = await ask('ada', 'secret');
    expect(answer.status).toBe(200);
    expect(await bodyOf(answer)).toMatchObject({ name: 'ada', groups: ['staff'] });
    expect((await ask('ada', 'wrong')).status).toBe(401);
    expect((await ask('bob', 'secret')).status).toBe(401);
    expect(await digestStatus('secret')).toBe(200);
    expect(await digestStatus('wrong')).toBe(401);
  });

  it('responds with 503 while the service fails, and warns once', async () => {
    directory.isDown = true;
    for (const name of ['ada', 'bob']) {
      const answer = await ask(name, 'secret');
      expect(answer.status).toBe(503);
      expect(answer.headers.get('retry-after')).toBe('2');
    }
    expect(await digestStatus('secret')).toBe(503);
    const basicWarnings = platform.log.lines.filter(({ message }) =>
      message.includes('"basic": the source "Directory" failed (the directory does not respond)'),
    );
    expect(basicWarnings).toHaveLength(1);
    directory.isDown = false;
    expect((await ask('ada', 'secret')).status).toBe(200);
    expect(await digestStatus('secret')).toBe(200);
  });
});

it('refuses users that a service answers with undefined or null, as those that it refuses', async () => {
  const platform = await startTestPlatform(project('Loose'));
  const statusOf = async (name: string, password: string): Promise<number> => {
    const headers = { Authorization: basic(name, password) };
    return (await platform.request('/club/members', { headers })).status;
  };
  const digestStatus = async (username: string): Promise<number> =>
    (await new DigestClient({ username, password: 'secret' }).fetch(`${platform.origin}/annex/door`)).status;
  expect(await statusOf('ada', 'secret')).toBe(200);
  expect(await statusOf('ada', 'wrong')).toBe(401);
  expect(await statusOf('bob', 'secret')).toBe(401);
  expect(await digestStatus('bob')).toBe(401);
  // Without groups, a member of none.
  expect(await digestStatus('ada')).toBe(403);
  await platform.stop();
});

/** A project with an adapter for Basic over each of the services. */
function overServices(...sources: readonly string[]): ReturnType<typeof project> {
  const adapters = sources.map((source) => [
    source,
    { adapter: 'HttpAdapter', options: { accept_schemes: ['basic'], realm: 'Club', source } },
  ]);
  return {
    ...project('Directory'),
    local: authentication(Object.fromEntries(adapters) as ConfigObject, { Club: sources }),
  };
}

it('responds with 503 if a service fails to recall a sign-in', async () => {
  const platform = await startTestPlatform(overServices('Forgetful'));
  const headers = { Authorization: basic('ada', 'secret') };
  expect((await platform.request('/club/members', { headers })).status).toBe(503);
  await platform.stop();
});

it('signs nobody in whose sign-in a service recalls with anything but a name', async () => {
  const platform = await startTestPlatform(overServices('Dreamy'));
  const headers = { Authorization: basic('ada', 'wrong') };
  expect((await platform.request('/club/members', { headers })).status).toBe(500);
  expect(platform.log.lines.map(({ details }) => errorMessage(Reflect.get(details, 'err')))).toEqual([
    'recall() of the source "Dreamy" returned an instance of Promise. Return the name of the user, or undefined, at once: it must not be asynchronous.',
  ]);
  await platform.stop();
});

it('signs nobody in whose hash a service finds with anything but a name', async () => {
  const platform = await startTestPlatform(project('Dreamy'));
  const challenge = challengeOf(await platform.request('/annex/door'));
  const user = { username: 'ada', password: 'secret', uri: '/annex/door', userhash: true };
  const headers = { Authorization: answerTo(challenge, user) };
  expect((await platform.request('/annex/door', { headers })).status).toBe(500);
  expect(platform.log.lines.map(({ details }) => errorMessage(Reflect.get(details, 'err')))).toEqual([
    expect.stringContaining('usernameOf() of the source "Dreamy" returned an instance of Promise.'),
  ]);
  await platform.stop();
});

it('asks the next adapter if a service fails to recall a sign-in', async () => {
  const platform = await startTestPlatform(overServices('Forgetful', 'Directory'));
  const headers = { Authorization: basic('ada', 'secret') };
  expect((await platform.request('/club/members', { headers })).status).toBe(200);
  await platform.stop();
});

it.each([
  ['Talkative', 'a value of the type object'],
  ['Asynchronous', 'a value of the type object'],
  ['Wordy', 'a value of the type string'],
])(
  'signs nobody in whose password the service %s answers with anything but a boolean',
  async (source, found) => {
    const platform = await startTestPlatform(overServices(source));
    const headers = { Authorization: basic('ada', 'wrong') };
    expect((await platform.request('/club/members', { headers })).status).toBe(500);
    expect(platform.log.lines.map(({ details }) => errorMessage(Reflect.get(details, 'err')))).toEqual([
      `verify() of the source "${source}" returned ${found}. Return true or false.`,
    ]);
    await platform.stop();
  },
);

describe('a secret that a service answers', () => {
  const attempt = async (
    source: string,
    change: (challenge: string) => Readonly<Record<string, string>>,
  ): Promise<{ readonly status: number; readonly warnings: readonly string[] }> => {
    const platform = await startTestPlatform(project(source));
    const ask = async (headers: Record<string, string>): Promise<Response> =>
      platform.request('/annex/door', { headers });
    let status = 0;
    for (let count = 0; count < 2; count++) {
      const challenge = challengeOf(await ask({}));
      const user = { username: 'ada', password: 'secret', uri: '/annex/door', change: change(challenge) };
      ({ status } = await ask({ Authorization: answerTo(challenge, user) }));
    }
    await platform.stop();
    const warnings = platform.log.lines.map(({ message }) => message);
    return { status, warnings: warnings.filter((message) => message.includes('secretOf()')) };
  };

  it('is none if it is empty: anyone could compute its digests', async () => {
    const { status, warnings } = await attempt('Blank', (challenge) => {
      const h = (text: string): string => hash('sha256', text);
      const nonce = parameterOf(challenge, 'nonce') ?? '';
      return { response: `"${h(`:${nonce}:00000001:c0ffee:auth:${h('GET:/annex/door')}`)}"` };
    });
    expect(status).toBe(401);
    expect(warnings).toEqual([]);
  });

  it('is refused with one warning if it is not a digest', async () => {
    const { status, warnings } = await attempt('Plain', () => ({}));
    expect(status).toBe(401);
    expect(warnings).toEqual([
      'Authentication adapter "digest": secretOf() of the source "Plain" returned something other than 64 hexadecimal digits for SHA-256; its users cannot sign in with Digest',
    ]);
  });

  it('may have digits in upper case', async () => {
    // Without groups, a member of none.
    expect((await attempt('Capital', () => ({}))).status).toBe(403);
  });
});

it('refuses to start with a service that does not exist, or does not know passwords', async () => {
  expect(await startRefusal(project('Directry'))).toMatch(
    /"basic": source: no module binds a source of users named "Directry"\. Did you mean "Directory"\?/,
  );
  expect(await startRefusal(project('Mute'))).toContain(
    'source: the service "Mute" does not implement verify() for Basic; see PasswordSource',
  );
});
