import { createHash } from 'node:crypto';
import { answerTo, parameterOf } from '../../../factories/sign-in/digest-client';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { basic, bodyOf } from '../../../factories/http/requests';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import {
  adapter,
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';
import {
  ContainerModule,
  Type,
  type AdapterFactory,
  type ConfigObject,
  type Module,
  type PasswordSource,
} from '../../../../src/platform';

const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const sha1 = (text: string): string => createHash('sha1').update(text).digest('base64');

const guests = { username: 'zoe', password: 'visit' };
const files = {
  ...CLUB_FILES,
  'config/guests.htdigest': `zoe:Guests:${md5('zoe:Guests:visit')}\n`,
  'config/guests.htpasswd': `zoe:{SHA}${sha1('visit')}\nada:{SHA}${sha1('other')}\n`,
};
const digestOfGuests = {
  accept_schemes: ['digest'],
  realm: 'Guests',
  htdigest: 'config/guests.htdigest',
  nonce_timeout: '3600',
};
const basicOfGuests = { accept_schemes: ['basic'], realm: 'Guests', htpasswd: 'config/guests.htpasswd' };
const adapters: ConfigObject = {
  ...CLUB_ADAPTERS,
  'digest-guests': adapter(digestOfGuests),
  'basic-guests': adapter(basicOfGuests),
  'basic-same-realm': adapter({ ...basicOfGuests, realm: 'Club' }),
  'basic-downgrade': adapter({ ...basicOfGuests, allow_downgrade: true }),
};

const project = (list: string[]) => ({
  modules: HOSTING,
  extra: [new ClubModule()],
  files,
  local: authentication(adapters, { Club: list }),
});

let platform: TestPlatform;
const start = async (...list: string[]): Promise<void> => {
  platform = await startTestPlatform(project(list));
};
afterEach(() => platform.stop());

/** The challenges of a response, one for each header line. */
async function challenges(authorization?: string): Promise<readonly string[]> {
  const field = authorization === undefined ? '' : `Authorization: ${authorization}\r\n`;
  const answer = await sendRaw(
    platform.origin,
    `GET /club/members HTTP/1.1\r\nHost: x\r\n${field}Connection: close\r\n\r\n`,
  );
  expect(answer.status).toBe(401);
  return answer.fields.filter(([name]) => name === 'www-authenticate').map(([, value]) => value);
}
const ask = (authorization: string): Promise<Response> =>
  platform.request('/club/members', { headers: { Authorization: authorization } });

describe('two Digest adapters for one API', () => {
  beforeEach(() => start('digest-guests', 'digest'));

  it('challenge together, the strongest first', async () => {
    expect(
      (await challenges()).map((challenge) => [
        parameterOf(challenge, 'algorithm'),
        parameterOf(challenge, 'realm'),
      ]),
    ).toEqual([
      ['SHA-256', 'Club'],
      ['MD5', 'Guests'],
      ['MD5', 'Club'],
    ]);
  });

  it('accept the users of each, with a response to its own challenge', async () => {
    const [club = '', ofGuests = ''] = await challenges();
    const uri = '/club/members';
    const ada = answerTo(club, { username: 'ada', password: PASSWORD, uri });
    expect(await bodyOf(await ask(ada))).toMatchObject({ name: 'ada' });
    const zoe = answerTo(ofGuests, { ...guests, uri });
    const answer = await ask(zoe);
    expect(await bodyOf(answer)).toMatchObject({ name: 'zoe' });
    expect(answer.headers.get('authentication-info')).toMatch(/^rspauth="[0-9a-f]{32}"/);
    const crossed = answerTo(ofGuests, { ...guests, uri, nc: 2, change: { realm: '"Club"' } });
    expect((await ask(crossed)).status).toBe(401);
  });

  it('mark a correct digest with an old nonce stale, and only that', async () => {
    const [, ofGuests = ''] = await challenges();
    const zoe = answerTo(ofGuests, { ...guests, uri: '/club/members' });
    expect((await ask(zoe)).status).toBe(200);
    expect(
      (await challenges(zoe)).map((challenge) => [
        parameterOf(challenge, 'realm'),
        parameterOf(challenge, 'stale'),
      ]),
    ).toEqual([
      ['Club', undefined],
      ['Guests', 'true'],
      ['Club', undefined],
    ]);
  });
});

describe('two Basic adapters for one API', () => {
  beforeEach(() => start('basic', 'basic-guests'));

  it('challenge in the order of the map, and are tried in that order', async () => {
    expect((await challenges()).map((challenge) => parameterOf(challenge, 'realm'))).toEqual([
      'Club',
      'Guests',
    ]);
    expect(await bodyOf(await ask(basic('bob', PASSWORD)))).toMatchObject({ name: 'bob' });
    expect(await bodyOf(await ask(basic('zoe', 'visit')))).toMatchObject({ name: 'zoe' });
    expect(await bodyOf(await ask(basic('ada', PASSWORD)))).toMatchObject({ name: 'ada' });
    expect(await bodyOf(await ask(basic('ada', 'other')))).toMatchObject({ name: 'ada' });
    expect((await ask(basic('bob', 'other'))).status).toBe(401);
  });

  it('count no failure when the second accepts the user', async () => {
    for (let index = 0; index < 25; index++) expect((await ask(basic('zoe', 'visit'))).status).toBe(200);
  });
});

describe('two Basic adapters of one realm', () => {
  it('count a failure once', async () => {
    await start('basic', 'basic-same-realm');
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++)
      statuses.push((await ask(basic('bob', `wrong ${index}`))).status);
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429]);
  });
});

describe('a Basic adapter that cannot decide', () => {
  const down = adapter({ accept_schemes: ['basic'], realm: 'Directory', source: 'Directory' });
  const broken = (): Promise<boolean> => Promise.reject(new Error('it does not respond'));
  let verify: PasswordSource['verify'];
  beforeEach(() => (verify = broken));

  /** Refuses everything, and tells no names. */
  const stranger: AdapterFactory = {
    settings: Type.Object({}),
    open: (name) =>
      Promise.resolve({
        adapter: {
          name,
          schemes: ['Basic'],
          warnings: [],
          takes: (scheme) => scheme === 'Basic',
          authenticate: () => ({ outcome: 'refused', stale: false }),
          challenges: () => ['Basic realm="Anyone"'],
          dispose: () => undefined,
        },
        description: { name, realm: 'Anyone', schemes: ['basic'] },
      }),
  };
  const directoryModule: Module = {
    name: 'directory',
    requires: ['mvc-auth'],
    services: new ContainerModule(({ bind }) => {
      bind('Directory').toConstantValue({
        verify: (...given: Parameters<typeof verify>) => verify(...given),
      });
      bind('StrangerAdapter').toConstantValue(stranger);
    }),
  };
  const startWith = async (...list: string[]): Promise<void> => {
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [new ClubModule(), directoryModule],
      files,
      local: authentication(
        { ...adapters, down, stranger: { adapter: 'StrangerAdapter', options: {} } },
        { Club: list },
      ),
    });
  };
  const guesses = async (): Promise<readonly number[]> => {
    const statuses: number[] = [];
    for (let index = 0; index < 11; index++)
      statuses.push((await ask(basic('bob', `wrong ${index}`))).status);
    return statuses;
  };

  it.each([
    ['first', ['down', 'basic']],
    ['last', ['basic', 'down']],
  ])('and is asked %s lets nobody guess passwords of the other without limit', async (_, list) => {
    await startWith(...list);
    expect(await guesses()).toEqual([...Array.from({ length: 10 }, () => 503), 429]);
    expect((await ask(basic('bob', PASSWORD))).status).toBe(429);
    expect((await ask(basic('ada', PASSWORD))).status).toBe(200);
  });

  it('limits guesses of the passwords of an adapter that does not state user names', async () => {
    await startWith('stranger', 'down');
    expect(await guesses()).toEqual([...Array.from({ length: 10 }, () => 503), 429]);
  });

  it('locks out no client that repeats a password, which is accepted afterwards', async () => {
    await startWith('basic', 'down');
    for (let index = 0; index < 12; index++) expect((await ask(basic('zoe', 'visit'))).status).toBe(503);
    verify = (_, password) => password === 'visit';
    expect((await ask(basic('zoe', 'visit'))).status).toBe(200);
  });

  it('as its client has disconnected locks out no client that returns', async () => {
    const refused: Promise<boolean>[] = [];
    const browser = new AbortController();
    verify = (_name, _password, { signal }) => {
      const result = new Promise<boolean>((resolve) =>
        signal?.addEventListener('abort', () => resolve(false)),
      );
      refused.push(result);
      if (refused.length === 12) browser.abort();
      return result;
    };
    await startWith('down', 'basic');
    const headers = { Authorization: basic('bob', PASSWORD) };
    const { signal } = browser;
    await Promise.allSettled(
      Array.from({ length: 12 }, () => platform.request('/club/members', { headers, signal })),
    );
    await Promise.all(refused);
    verify = () => false;
    expect((await ask(basic('bob', PASSWORD))).status).toBe(200);
  });
});

describe('Basic and Digest in one map', () => {
  it('are an error, unless an adapter allows the downgrade', async () => {
    expect(await startRefusal(project(['digest', 'basic-guests']))).toContain('"allow_downgrade": true');
    await start('basic-downgrade', 'digest');
    expect((await challenges()).map((challenge) => challenge.split(' ')[0])).toEqual([
      'Digest',
      'Digest',
      'Basic',
    ]);
    expect(await bodyOf(await ask(basic('zoe', 'visit')))).toMatchObject({ name: 'zoe' });
  });
});
