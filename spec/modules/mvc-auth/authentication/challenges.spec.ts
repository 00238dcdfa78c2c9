import {
  defineApi,
  defineProcedure,
  defineRpcService,
  Problem,
  Response as PlatformResponse,
  Type,
  type Module,
} from '../../../../src/platform';
import { basic } from '../../../factories/http/requests';
import { DigestClient } from '../../../factories/sign-in/digest-client';
import { startTestPlatform, type TestPlatform } from '../../../factories/platform';
import { sendRaw } from '../../../factories/http/raw-http';
import { HOSTING } from '../../../factories/processes/start-refusal';
import {
  adapter,
  authentication,
  CLUB_ADAPTERS,
  CLUB_FILES,
  ClubModule,
  PASSWORD,
} from '../../../fixtures/club-module';

const HT = { htpasswd: 'config/people.htpasswd', htdigest: 'config/club.htdigest', nonce_timeout: '3600' };

let platform: TestPlatform;
afterEach(() => platform.stop());

async function challengesWith(adapters: Parameters<typeof authentication>[0], map: string | string[]) {
  platform = await startTestPlatform({
    modules: HOSTING,
    extra: [new ClubModule()],
    files: CLUB_FILES,
    local: authentication(adapters, { Club: map }),
  });
  const answer = await sendRaw(
    platform.origin,
    'GET /club/members HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
  );
  expect(answer.status).toBe(401);
  return answer.fields.filter(([name]) => name === 'www-authenticate').map(([, value]) => value);
}

describe('a 401 response', () => {
  it('challenges with Basic, realm and charset', async () => {
    expect(await challengesWith(CLUB_ADAPTERS, 'basic')).toEqual(['Basic realm="Club", charset="UTF-8"']);
  });

  it('has a header line for every algorithm, the strongest first', async () => {
    const challenges = await challengesWith(CLUB_ADAPTERS, 'digest');
    expect(challenges).toHaveLength(2);
    expect(challenges[0]).toMatch(/^Digest realm="Club", .*algorithm=SHA-256\b/);
    expect(challenges[1]).toMatch(/^Digest realm="Club", .*algorithm=MD5\b/);
  });

  it('quotes exactly the parameters that require it', async () => {
    const [challenge = ''] = await challengesWith(CLUB_ADAPTERS, 'digest');
    expect(challenge).toMatch(/ nonce="[0-9a-f]+"/);
    expect(challenge).toMatch(/ opaque="[^"]+"/);
    expect(challenge).toMatch(/ qop="auth/);
    expect(challenge).not.toMatch(/(algorithm|stale)="/);
    expect(challenge).not.toContain('domain=');
  });

  it('lists the domains of a Digest challenge', async () => {
    const options = { accept_schemes: ['digest'], realm: 'Club', digest_domains: '/club /annex', ...HT };
    const [challenge] = await challengesWith({ own: adapter(options) }, 'own');
    expect(challenge).toContain('domain="/club /annex"');
  });

  it('offers Basic after Digest when an adapter allows the downgrade, and accepts both', async () => {
    const options = { accept_schemes: ['basic', 'digest'], realm: 'Club', allow_downgrade: true, ...HT };
    const challenges = await challengesWith({ both: adapter(options) }, 'both');
    expect(challenges.map((challenge) => challenge.split(' ')[0])).toEqual(['Digest', 'Digest', 'Basic']);
    const url = `${platform.origin}/club/members`;
    const user = { username: 'ada', password: PASSWORD };
    expect((await new DigestClient(user).fetch(url)).status).toBe(200);
    expect((await fetch(url, { headers: { Authorization: basic('ada', PASSWORD) } })).status).toBe(200);
  });

  it('of an author has them, unless it has its own', async () => {
    platform = await startTestPlatform({
      modules: HOSTING,
      extra: [shop],
      files: CLUB_FILES,
      local: authentication(CLUB_ADAPTERS, { Shop: 'basic' }),
    });
    const refusal = async (how: string): Promise<unknown> => {
      const response = await platform.request(`/shop/till?how=${how}`);
      return [response.status, response.headers.get('www-authenticate')];
    };
    const challenge = 'Basic realm="Club", charset="UTF-8"';
    expect(await refusal('problem')).toEqual([401, challenge]);
    expect(await refusal('response')).toEqual([401, challenge]);
    expect(await refusal('own')).toEqual([401, 'Own realm="till"']);
  });
});

const Till = defineRpcService({
  route: '/shop/till',
  methods: {
    GET: defineProcedure({
      query: Type.Object({ how: Type.String() }),
      handler: ({ query: { how } }) => {
        if (how === 'response') return new PlatformResponse(401, 'Sign in.');
        const fields = how === 'own' ? [['WWW-Authenticate', 'Own realm="till"'] as const] : [];
        throw new Problem(401, 'Sign in to pay.', { fields });
      },
    }),
  },
});
const shop: Module = {
  name: 'shop',
  requires: ['hosting'],
  apis: [defineApi({ name: 'Shop', versions: { 1: { services: { Till } } } })],
};
