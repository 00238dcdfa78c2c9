import fc from 'fast-check';
import { MethodTable, Problem, Response } from '../../../../../src/framework';
import { addKey, newKey } from '../../../../../src/modules/mvc-auth';
import {
  PASSWORD,
  startAdminPlatform,
  WITH_ADMIN,
  type AdminPlatform,
} from '../../../../factories/admin/admin';
import { answerTo } from '../../../../factories/sign-in/digest-client';
import { sendRaw } from '../../../../factories/http/raw-http';
import { basic, bodyOf } from '../../../../factories/http/requests';
import { routesModule } from '../../../../factories/routes';
import { signed } from '../../../../factories/sign-in/tokens';
import { adapter, CLUB_ADAPTERS, CLUB_FILES, ClubModule } from '../../../../fixtures/club-module';
import { PEOPLE } from '../../../../fixtures/people';
import { PolicyModule } from '../../../../fixtures/policy-module';

const API = '/platform/admin/api/v1/rule-test';
const AS_ADA = { Authorization: basic('ada', PASSWORD) };
const SECRET = 'a secret of at least thirty-two bytes';
const KEYS = 'data/keys.json';
const reader = newKey({ owner: 'reader', scopes: ['read'] });
const writer = newKey({ owner: 'writer', scopes: ['read', 'write'], groups: ['staff'] });
const expired = newKey({ owner: 'old', expires: new Date('2020-01-02') }, new Date('2020-01-01'));

const http = (name: 'basic' | 'digest') => ({
  ...CLUB_ADAPTERS[name],
  options: { ...Object(CLUB_ADAPTERS[name].options), htgroup: 'config/groups' } as never,
});

/** A route that selects its target later. */
const lateTargets = routesModule({}, ({ application }) => {
  application.router.add('late', '/late/:door', {
    methods: new MethodTable({ GET: { name: 'late', handler: () => new Response(200, 'in') } }),
    async select({ parameters: { door } }) {
      await Promise.resolve();
      if (door !== 'open') throw new Problem(404, 'No such door.');
    },
  });
});

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform({
    modules: WITH_ADMIN,
    extra: [new ClubModule(), new PolicyModule(), lateTargets],
    files: {
      ...CLUB_FILES,
      'config/other.htpasswd': PEOPLE['config/people.htpasswd'].replace('ada', 'eve').replace(/bob.*\n/, ''),
      'config/groups': 'staff: ada\nguests: bob\n',
      [KEYS]: [writer, expired]
        .reduce((file, { stored }) => addKey(KEYS, file, stored), addKey(KEYS, undefined, reader.stored))
        .toString(),
    },
    local: {
      'platform-mvc-auth': {
        authentication: {
          adapters: {
            basic: http('basic'),
            digest: http('digest'),
            other: adapter({ accept_schemes: ['basic'], realm: 'Other', htpasswd: 'config/other.htpasswd' }),
            keys: { adapter: 'ApiKeyAdapter', options: { keys: KEYS } },
            jwt: {
              adapter: 'JwtAdapter',
              options: { algorithms: ['HS256'], secret: SECRET, groups_claim: 'groups' },
            },
          },
          map: {
            'Club-v1': ['basic', 'jwt', 'keys'],
            'Club-v1/Board': 'digest',
            'Club-v2': 'jwt',
            'Club-v2/Hall': [],
            Doors: 'basic',
            Annex: [],
          },
        },
        authorization: {
          deny_by_default: true,
          '@documentation': ['ada'],
          Club: {
            Members: { GET: ['scope:read', '@staff'] },
            Note: { collection: { GET: ['@staff'] } },
          },
          'Club-v1': {
            Hall: { GET: 'guest' },
            Note: {
              collection: { POST: ['scope:write', '@guests'] },
              entity: { GET: ['scope:read'], DELETE: ['bob', '@Domain Admins'] },
            },
          },
        },
        throttling: { enabled: false },
      },
    },
  });
});
afterAll(() => platform.stop());

/** A client of the tests: as the tester is asked, and as it sends requests. */
interface Client {
  readonly fields: Readonly<Record<string, string>>;
  readonly send: (method: string, path: string) => Promise<Readonly<Record<string, string>>>;
}

const withPassword = (name: string, by: string): Client => ({
  fields: { who: 'user', adapter: by, name },
  send: () => Promise.resolve({ Authorization: basic(name, 'password') }),
});
const withDigest = (username: string): Client => ({
  fields: { who: 'user', adapter: 'digest', name: username },
  send: async (method, uri) => {
    const challenge = (await platform.request('/v1/club/board')).headers.get('www-authenticate') ?? '';
    return { Authorization: answerTo(challenge, { username, password: 'password', method, uri }) };
  },
});
const withKey = ({ key, stored }: typeof reader, name: string = stored.id): Client => ({
  fields: { who: 'user', adapter: 'keys', name },
  send: () => Promise.resolve({ 'X-API-Key': key }),
});
const withToken = (name: string, groups: readonly string[], scopes: readonly string[]): Client => ({
  fields: { who: 'identity', name, groups: groups.join(','), scopes: scopes.join(' '), adapter: 'jwt' },
  send: () => {
    const exp = Math.floor(Date.now() / 1_000) + 600;
    const claims = { sub: name, groups, scope: scopes.join(' '), exp };
    return Promise.resolve({
      Authorization: `Bearer ${signed({ alg: 'HS256', typ: 'JWT' }, claims, SECRET)}`,
    });
  },
});
const guest: Client = { fields: { who: 'guest' }, send: () => Promise.resolve({}) };

const clients = fc.oneof(
  fc.constantFrom<Client>(
    guest,
    withPassword('ada', 'basic'),
    withPassword('bob', 'basic'),
    withPassword('eve', 'other'),
    withDigest('ada'),
    withDigest('bob'),
    withKey(reader),
    withKey(writer, 'writer'),
  ),
  fc
    .tuple(
      fc.constantFrom('ada', 'bob', 'carol'),
      fc.subarray(['staff', 'guests', 'Domain Admins']),
      fc.subarray(['read', 'write', 'other']),
    )
    .map((parts) => withToken(...parts)),
);
const services = ['hall', 'members', 'board', 'notes', 'notes/1', 'none'];
const paths = fc.oneof(
  fc
    .tuple(fc.constantFrom(1, 2, 3), fc.constantFrom(...services))
    .map(([version, below]) => `/v${version}/club/${below}`),
  fc.constantFrom(
    '/v1/annex/door',
    '/platform/documentation',
    '/platform/documentation/Club-v1/Hall',
    '/platform/documentation/Nope-v1',
    '/notes/1',
    '/late/open',
    '/late/shut',
  ),
);
const methods = fc.constantFrom('GET', 'HEAD', 'POST', 'DELETE', 'PUT', 'OPTIONS');

async function ask(fields: Readonly<Record<string, string>>): Promise<Record<string, unknown>> {
  const answer = await platform.request(`${API}?${new URLSearchParams(fields).toString()}`, {
    headers: AS_ADA,
  });
  expect(answer.status).toBe(200);
  return bodyOf(answer);
}

/** The challenges without what is new each time. */
const lasting = (challenges: readonly string[]): readonly string[] =>
  challenges.map((one) => one.replace(/nonce="[^"]*"/, 'nonce').replace(/opaque="[^"]*"/, 'opaque'));

async function request(client: Client, method: string, path: string) {
  const fields = { Host: 'localhost', Connection: 'close', ...(await client.send(method, path)) };
  const body = method === 'POST' ? '{"text":"Hello"}' : '';
  const lines = Object.entries({
    ...fields,
    ...(body === ''
      ? {}
      : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)) }),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  const answer = await sendRaw(platform.origin, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  return {
    status: answer.status,
    challenges: answer.fields.filter(([name]) => name === 'www-authenticate').map(([, value]) => value),
  };
}

describe('the rule tester', () => {
  it('says what requests of any client receive', async () => {
    const verdicts = new Map<unknown, number>();
    await fc.assert(
      fc.asyncProperty(clients, methods, paths, async (client, method, path) => {
        const test = await ask({ ...client.fields, method, path });
        verdicts.set(test.verdict, (verdicts.get(test.verdict) ?? 0) + 1);
        if (test.verdict === 'undecided') return;
        const real = await request(client, method, path);
        expect({
          status: test.status,
          challenges: lasting(test.challenges as string[]),
        }).toEqual({ status: real.status, challenges: lasting(real.challenges) });
      }),
      {
        numRuns: 400,
        examples: [
          [withPassword('ada', 'basic'), 'GET', '/notes/1'],
          [withToken('carol', ['staff', 'Domain Admins'], []), 'DELETE', '/v1/club/notes/1'],
        ],
      },
    );
    expect([...verdicts.keys()].sort()).toEqual(['not found', 'permitted', 'refused', 'undecided']);
  });

  it('answers alike for an operation and for its path', async () => {
    const operations = fc.constantFrom(
      ['Hall GET', 'GET', 'hall'],
      ['Members GET', 'GET', 'members'],
      ['Board GET', 'GET', 'board'],
      ['Note collection GET', 'GET', 'notes'],
      ['Note collection POST', 'POST', 'notes'],
      ['Note entity GET', 'GET', 'notes/1'],
      ['Note entity DELETE', 'DELETE', 'notes/1'],
    );
    await fc.assert(
      fc.asyncProperty(
        clients,
        fc.constantFrom(1, 2),
        operations,
        async ({ fields }, version, [operation = '', method = '', below = '']) => {
          const [ofOperation, ofPath] = await Promise.all([
            ask({ ...fields, api_version: `Club-v${version}`, operation }),
            ask({ ...fields, method, path: `/v${version}/club/${below}` }),
          ]);
          const withoutNonces = (test: Record<string, unknown>) => ({
            ...test,
            challenges: lasting(test.challenges as string[]),
          });
          expect(withoutNonces(ofOperation)).toEqual(withoutNonces(ofPath));
        },
      ),
      { numRuns: 60 },
    );
  });

  it('waits for the target of a route', async () => {
    for (const [path, status] of [
      ['/late/open', 200],
      ['/late/shut', 404],
    ] as const) {
      expect((await request(guest, 'GET', path)).status).toBe(status);
      expect(await ask({ path })).toMatchObject({ status });
    }
  });

  it('names the rule, its layer and source, the adapters and the entry that decides', async () => {
    const refused = await ask({
      who: 'identity',
      name: 'carol',
      groups: 'others',
      api_version: 'Club-v1',
      operation: 'Members GET',
    });
    expect(refused).toMatchObject({
      verdict: 'refused',
      status: 403,
      code: 'forbidden',
      challenges: ['Bearer realm="jwt", error="insufficient_scope", scope="read"'],
      target: 'Members GET of Club v1',
      rule: ['scope:read', '@staff'],
      path: 'platform-mvc-auth.authorization.Club.Members.GET',
      source: expect.stringMatching(/local\.json:\d+:\d+$/) as string,
      identity: { name: 'carol', groups: ['others'], scopes: [] },
    });
    expect(refused.reasons).toEqual([
      'The request addresses Members GET of Club v1.',
      expect.stringMatching(
        /^The adapters "basic" \(realm "Club"\) and "jwt" .* guard it \(platform-mvc-auth\.authentication\.map\["Club-v1"\], .*local\.json/,
      ),
      'The request is of the user "carol" with the group others and no scopes.',
      expect.stringMatching(
        /^The rule is \["scope:read", "@staff"\], set for all versions of the API \(platform-mvc-auth\.authorization\.Club\.Members\.GET, .*local\.json:\d+:\d+\)\.$/,
      ),
      'None of its entries is the name, a group or a scope of the user.',
    ]);
    expect(refused.remedies).toEqual([
      'Use credentials of a user with the scope "read" or in the group "staff".',
      'Or add the user, or one of its groups or scopes, to the rule.',
    ]);
    const permitted = await ask({
      ...withPassword('ada', 'basic').fields,
      api_version: 'Club-v1',
      operation: 'Members GET',
    });
    expect(permitted).toMatchObject({ verdict: 'permitted', identity: { groups: ['staff'] }, remedies: [] });
    expect(permitted.reasons).toContain('Its entry "@staff" permits the user.');
  });

  it('explains rules of declarations, defaults, policies, OPTIONS and missing adapters', async () => {
    const reasons = async (fields: Record<string, string>): Promise<string> =>
      String((await ask(fields)).reasons);
    const operation = (api_version: string, name: string) => ({ api_version, operation: name });
    expect(await reasons(operation('Club-v1', 'Board GET'))).toContain(
      'The rule is ["ada"], declared by the API (the module "club").,It refuses guests.',
    );
    expect(await reasons(operation('Club-v2', 'Hall GET'))).toMatch(
      /No adapter guards it .*Club-v2\/Hall.* the default for operations without a rule \(platform-mvc-auth\.authorization\.deny_by_default, /,
    );
    const user = { who: 'identity', name: 'ada' };
    expect(await reasons({ ...user, ...operation('Annex-v1', 'Door GET') })).toContain(
      "The credentials are not read there: the request is a guest's.",
    );
    expect(await reasons({ ...user, method: 'OPTIONS', path: '/v1/club/members' })).toContain(
      'OPTIONS requests are never authenticated',
    );
    expect(await ask({ ...user, path: '/notes/1' })).toMatchObject({
      verdict: 'undecided',
      status: null,
      policy: expect.any(String) as string,
    });
    expect(await ask({ path: '/notes/1' })).toMatchObject({ verdict: 'refused', status: 401 });
    const foreign = { ...withPassword('eve', 'other').fields, ...operation('Club-v1', 'Members GET') };
    expect(await ask(foreign)).toMatchObject({ verdict: 'refused', status: 401 });
    expect(await reasons(foreign)).toContain('that adapter does not guard it');
  });

  it('names the rules of documentation', async () => {
    expect(await ask({ path: '/platform/documentation' })).toMatchObject({
      verdict: 'refused',
      rule: ['ada'],
      path: 'platform-mvc-auth.authorization.@documentation',
      source: expect.stringContaining('local.json') as string,
    });
    const hidden = await ask({ path: '/platform/documentation/Admin' });
    expect(hidden).toMatchObject({ verdict: 'refused', status: 401 });
  });

  it('knows that users of documentation may sign in with OpenID Connect', async () => {
    const own = await startAdminPlatform({
      modules: [...WITH_ADMIN, 'openid'],
      local: {
        'platform-openid': { issuer: 'https://login.example', client_id: 'platform', documentation: true },
        'platform-mvc-auth': { authorization: { '@documentation': ['@staff'] } },
      },
    });
    try {
      const test = async (fields: Record<string, string>): Promise<Record<string, unknown>> => {
        const query = new URLSearchParams({ path: '/platform/documentation', ...fields });
        return await bodyOf(await own.request(`${API}?${query.toString()}`, { headers: AS_ADA }));
      };
      const vera = await test({ who: 'identity', name: 'vera', groups: 'staff' });
      expect(vera).toMatchObject({ verdict: 'permitted', status: 200 });
      expect(vera.reasons).toContain(
        'The request is assumed to be of the user "vera" with the group staff and no scopes, who has signed in with OpenID Connect.',
      );
      expect(await test({ who: 'identity', name: 'zed' })).toMatchObject({
        status: 403,
        remedies: ['Use credentials of a user in the group "staff".', expect.any(String)],
      });
      expect((await test({ who: 'guest' })).remedies).toContain(
        'Sign in with OpenID Connect as a user in the group "staff".',
      );
      // Operations of APIs ignore the session.
      const operation = await test({ who: 'identity', name: 'vera', path: '/v1/atlas/countries' });
      expect(operation.reasons).toContain("The credentials are not read there: the request is a guest's.");
    } finally {
      await own.stop();
    }
  });

  it.each([
    [{ who: 'user', adapter: 'basic', name: 'nobody' }, '/name', 'has no user "nobody"'],
    [{ who: 'user', adapter: 'digest', name: 'nobody' }, '/name', 'has no user "nobody"'],
    [{ who: 'user', adapter: 'keys', name: expired.stored.id }, '/name', 'has no user'],
    [{ who: 'user', adapter: 'jwt', name: 'ada' }, '/adapter', 'knows users from their credentials only'],
    [{ who: 'user', name: 'ada' }, '/adapter', 'Choose the adapter'],
    [
      { who: 'identity', name: 'ada', adapter: 'none' },
      '/adapter',
      'Available: administrators, basic, digest',
    ],
    [{ who: 'identity' }, '/name', 'Enter the name'],
    [{ api_version: 'Club-v9' }, '/api_version', 'Club v9 does not exist'],
    [{ api_version: 'Club' }, '/api_version', 'such as "Atlas-v1"'],
    [{ operation: 'Hall PUT' }, '/operation', 'does not exist in Club v1'],
    [{ operation: '' }, '/operation', 'Country collection GET'],
    [{ path: 'v1/club/hall' }, '/path', 'begins with "/"'],
    [{ path: '/platform/admin/adapters' }, '/path', 'a sign-in of their own'],
    [{ path: '/v1/club/hall', method: 'GET /' }, '/method', 'such as GET'],
  ])('refuses %j with an error at the field', async (fields, pointer, message) => {
    const query = new URLSearchParams({ api_version: 'Club-v1', operation: 'Hall GET', ...fields });
    const answer = await platform.request(`${API}?${query.toString()}`, { headers: AS_ADA });
    expect(answer.status).toBe(422);
    expect((await bodyOf(answer)).errors).toEqual([
      { pointer, message: expect.stringContaining(message) as string },
    ]);
  });
});
