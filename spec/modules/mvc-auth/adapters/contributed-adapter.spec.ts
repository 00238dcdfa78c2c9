import { bodyOf } from '../../../factories/http/requests';
import { DigestClient } from '../../../factories/sign-in/digest-client';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { HOSTING, startRefusal } from '../../../factories/processes/start-refusal';
import { CredentialedRequest } from '../../../../src/modules/mvc-auth/authentication/credentialed-request';
import { testEvent } from '../../../../src/testing';
import { BearerModule } from '../../../fixtures/bearer-module';
import {
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
} from '../../../../src/platform';

const project = (options: ConfigObject) => ({
  modules: [...HOSTING, 'documentation', 'documentation-apidesc'],
  extra: [new BearerModule(), new ClubModule()],
  files: CLUB_FILES,
  local: authentication(
    { ...CLUB_ADAPTERS, token: { adapter: 'BearerAdapter', options } },
    { Club: ['token', 'digest'], Annex: 'token' },
    { Annex: { Door: { GET: 'authenticated' } } },
  ),
});

describe('an adapter of a module', () => {
  let platform: TestPlatform;
  beforeAll(
    async () => (platform = await startTestPlatform(project({ realm: 'Club', tokens: { s3cret: 'ada' } }))),
  );
  afterAll(() => platform.stop());

  const ask = (authorization: string, path = '/club/board'): Promise<Response> =>
    platform.request(path, { headers: { Authorization: authorization } });

  it('signs users in, and adds its headers to the response', async () => {
    const answer = await ask('bearer s3cret');
    expect(await bodyOf(answer)).toMatchObject({ name: 'ada' });
    expect(answer.headers.get('x-signed-in')).toBe('yes');
  });

  it("rejects credentials like the platform's own, with the challenges of all mapped adapters", async () => {
    for (const answer of [await ask('Bearer wrong'), await platform.request('/club/board')]) {
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer realm="Club", Digest .*, Digest /);
      expect(Object.keys(await bodyOf(answer))).toEqual(['type', 'title', 'status', 'detail']);
    }
  });

  it('shares a list with another adapter: each handles its own scheme', async () => {
    const client = new DigestClient({ username: 'ada', password: PASSWORD });
    expect((await client.fetch(`${platform.origin}/club/board`)).status).toBe(200);
    expect((await ask('Bearer s3cret')).status).toBe(200);
    expect((await ask('Basic czNjcmV0Og==')).status).toBe(401);
  });

  it('is documented with its scheme', async () => {
    const page = await platform.request('/platform/documentation/Annex/Door?format=html');
    const text = await page.text();
    expect(text).toContain('HTTP Bearer credentials for the realm <q>Club</q>');
    expect(text).toContain('Authorization: Bearer TOKEN');
    const document = await bodyOf(await platform.request('/platform/documentation/Annex?format=apidesc'));
    expect(document).toMatchObject({
      components: { securitySchemes: { token: { type: 'http', scheme: 'bearer' } } },
    });
  });
});

it('may take the function that reads the body out of the request', async () => {
  const { body } = new CredentialedRequest(testEvent({ method: 'POST', body: 'signed' }), []);
  expect(Buffer.from(await body()).toString()).toBe('signed');
});

it('has its options validated by its own schema', async () => {
  const refusal = await startRefusal(project({ realm: 'Club', tokens: { s3cret: 7 } }));
  expect(refusal).toMatch(/^config\/autoload\/local\.json:\d+/);
  expect(refusal).toContain('adapters.token.options.tokens.s3cret');
});

it.each([
  ['settings', { open: (): void => undefined }],
  ['settings', { settings: undefined, open: (): void => undefined }],
  ['open()', { settings: Type.Object({}), open: 'config/tokens.txt' }],
])('has a factory without %s refused at the start, with its name', async (lacking, factory) => {
  const services = new ContainerModule(({ bind }) => void bind('HalfAdapter').toConstantValue(factory));
  const refusal = await startRefusal({
    modules: HOSTING,
    extra: [{ name: 'half', requires: ['mvc-auth'], services }],
    local: authentication({ half: { adapter: 'HalfAdapter', options: {} } }, {}),
  });
  expect(refusal).toMatch(/^config\/autoload\/local\.json:\d+/);
  expect(refusal).toContain(
    `adapters.half.adapter: the authentication adapter factory "HalfAdapter" lacks ${lacking}.`,
  );
});

/** What JavaScript may return, by token. */
const results: Readonly<Record<string, unknown>> = {
  groups: { outcome: 'authenticated', username: 'eve', groups: 'understaffed', fields: [] },
  scopes: { outcome: 'authenticated', username: 'eve', scopes: 'board:readonly', fields: [] },
  outcome: { outcome: 'rejected' },
  nothing: undefined,
  null: null,
  fields: { outcome: 'authenticated', username: 'ada' },
  pair: { outcome: 'authenticated', username: 'ada', fields: ['X-Signed-In', 'yes'] },
  map: { outcome: 'authenticated', username: 'ada', fields: new Map([['X-Signed-In', 'yes']]) },
};

const careless: AdapterFactory = {
  settings: Type.Object({}),
  open: (name) =>
    Promise.resolve({
      adapter: {
        name,
        schemes: ['Bearer'],
        warnings: [],
        takes: () => true,
        authenticate: ({ authorization: [field = ''] }) => {
          const [, when = '', token = ''] = field.split(' ');
          const result = results[token] as { outcome: 'refused'; stale: false };
          return when === 'now' ? result : Promise.resolve(result);
        },
        challenges: () => ['Bearer realm="Annex"'],
        dispose: () => undefined,
      },
      description: { name, realm: 'Annex', schemes: ['bearer'] },
    }),
};

const carelessModule: Module = {
  name: 'careless',
  requires: ['mvc-auth'],
  services: new ContainerModule(({ bind }) => void bind('CarelessAdapter').toConstantValue(careless)),
};

describe.each(['now', 'later'])('an adapter in JavaScript that decides %s', (when) => {
  let platform: TestPlatform;
  beforeAll(async () => {
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [carelessModule, new ClubModule()],
      local: authentication(
        { odd: { adapter: 'CarelessAdapter', options: {} } },
        { Annex: 'odd' },
        { Annex: { Door: { GET: ['ada', '@staff', 'scope:board:read'] } } },
      ),
    });
  });
  afterAll(() => platform.stop());
  beforeEach(() => (platform.log.lines.length = 0));

  const enter = (token: string): Promise<Response> =>
    platform.request('/annex/door', { headers: { Authorization: `Bearer ${when} ${token}` } });

  const returned = 'The adapter "odd" returned ';
  it.each([
    ['groups', 'The groups and the scopes of a user are lists'],
    ['scopes', 'The groups and the scopes of a user are lists'],
    [
      'outcome',
      `${returned}the outcome "rejected" and the fields undefined. Return { outcome: 'authenticated', `,
    ],
    ['fields', `${returned}the outcome "authenticated" and the fields undefined.`],
    ['pair', `${returned}the outcome "authenticated" and the fields an array without pairs.`],
    ['nothing', `${returned}undefined.`],
    ['null', `${returned}null.`],
  ])('lets nobody in with invalid %s, and logs why', async (token, reason) => {
    expect((await enter(token)).status).toBe(500);
    const { err } = platform.log.lines[0]?.details as { err: Error };
    expect(err.message).toContain(reason);
  });

  it('adds header fields in a Map', async () => {
    const { status, headers } = await enter('map');
    expect([status, headers.get('x-signed-in')]).toEqual([200, 'yes']);
  });
});
