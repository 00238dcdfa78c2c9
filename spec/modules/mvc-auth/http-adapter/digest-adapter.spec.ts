import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import { Deployment, MemoryState, type NonceCounter } from '../../../../src/framework';
import {
  DIGEST_ALGORITHMS,
  digestSecret,
  type DigestAlgorithm,
} from '../../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import { formatDigestLine } from '../../../../src/modules/mvc-auth/password-files/digest-table';
import { ask, testProject, type TestProject } from './adapter-factory';
import { answerTo, parameterOf, type ClientAnswer } from '../http/digest-client';

const mufasa = { username: 'Mufasa', password: 'Circle of Life' };
const refused = { outcome: 'refused', stale: false };
const stale = { outcome: 'refused', stale: true };

function line(
  algorithm: DigestAlgorithm,
  user: { username: string; password: string } = mufasa,
  realm = 'api',
): string {
  const secret = digestSecret(algorithm, user.username, realm, user.password);
  return `${formatDigestLine({ username: user.username, realm, algorithm, secret })}\n`;
}

/** A deployment with an external store of counts. */
function counting(claim: NonceCounter['claim']): Deployment {
  const state = new MemoryState();
  state.counterFor = () => ({ claim });
  return new Deployment(state);
}

describe('a Digest adapter', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await testProject();
    await project.write('htdigest', line('MD5'));
  });
  afterEach(() => project.close());

  const challengeOf = (adapter: AuthenticationAdapter, staleness = false): string =>
    adapter.challenges(staleness)[0] ?? '';

  it('challenges with the quoting of RFC 7616 and a hexadecimal nonce', async () => {
    const adapter = await project.open({ digest_domains: '/a  /b' });
    expect(adapter.schemes).toEqual(['Digest']);
    expect(adapter.challenges(false)).toEqual([
      expect.stringMatching(
        /^Digest realm="api", domain="\/a \/b", nonce="[0-9a-f]{68}", opaque="[0-9a-f]{32}", algorithm=MD5, qop="auth", charset=UTF-8, userhash=true$/,
      ),
    ]);
    expect(challengeOf(adapter, true)).toContain(', stale=true, ');
  });

  it('omits an empty domain, and sends a realm in UTF-8', async () => {
    await project.write('htdigest', line('MD5', mufasa, 'the Käse realm'));
    const adapter = await project.open({ realm: 'the Käse realm', digest_domains: '' });
    expect(challengeOf(adapter)).toMatch(/^Digest realm="the K\xc3\xa4se realm", nonce=/);
  });

  it.each(
    DIGEST_ALGORITHMS.flatMap((algorithm) => [false, true].map((session) => [algorithm, session] as const)),
  )(
    'accepts the password, with %s (session variant: %s), and sends Authentication-Info',
    async (algorithm, session) => {
      await project.write('htdigest', line(algorithm));
      const adapter = await project.open({});
      const challenge = challengeOf(adapter);
      const result = await ask(adapter, answerTo(challenge, { ...mufasa, session }));
      const proof = parameterOf(answerTo(challenge, { ...mufasa, session, method: '' }), 'response') ?? '';
      expect(result).toEqual({
        outcome: 'authenticated',
        username: 'Mufasa',
        fields: [['Authentication-Info', `rspauth="${proof}", qop=auth, cnonce="c0ffee", nc=00000001`]],
      });
    },
  );

  it('accepts a hashed user name, and a name in any script in either notation', async () => {
    const jason = { username: 'Jäsøn Doe', password: 'Secret, or not?' };
    await project.write('htdigest', line('SHA-256', jason));
    const adapter = await project.open({});
    const answers: ClientAnswer[] = [
      { ...jason, userhash: true, nc: 1 },
      { ...jason, nc: 2 },
      {
        ...jason,
        nc: 3,
        change: { username: undefined, 'username*': "UTF-8''J%C3%A4s%C3%B8n%20Doe" },
      },
    ];
    const challenge = challengeOf(adapter);
    for (const answer of answers) {
      expect(await ask(adapter, answerTo(challenge, answer))).toMatchObject({ username: 'Jäsøn Doe' });
    }
  });

  it('accepts quoted and unquoted parameters, names in any case, and whitespace', async () => {
    const adapter = await project.open({});
    const challenge = challengeOf(adapter);
    const quoted = { algorithm: '"MD5"', qop: '"auth"', nc: '"00000001"' };
    expect(await ask(adapter, answerTo(challenge, { ...mufasa, change: quoted }))).toMatchObject({
      outcome: 'authenticated',
    });
    const loud = answerTo(challenge, { ...mufasa, nc: 2, change: { algorithm: 'md5' } })
      .replace('Digest ', 'dIGEST   ')
      .replace('username=', 'USERNAME = ')
      .replace(', realm', ' ,, realm');
    expect(await ask(adapter, loud)).toMatchObject({ outcome: 'authenticated' });
  });

  it.each<[string, Partial<ClientAnswer>]>([
    ['a wrong password', { password: 'circle of life' }],
    ['an unknown user', { username: 'Scar' }],
    ['an unknown hashed user', { username: 'Scar', userhash: true }],
    ['a digest for another method', { method: 'POST' }],
    ['a digest for another path', { uri: '/other' }],
    ['a uri without the query', { uri: '/?' }],
    ['another realm', { change: { realm: '"other"' } }],
    ['another opaque', { change: { opaque: `"${'0'.repeat(32)}"` } }],
    ['no opaque', { change: { opaque: undefined } }],
    ['an algorithm that was not offered', { change: { algorithm: 'SHA-256' } }],
    ['an unknown algorithm', { change: { algorithm: 'CRC' } }],
    ['no qop', { change: { qop: undefined, nc: undefined, cnonce: undefined } }],
    ['qop=auth-int', { change: { qop: 'auth-int' } }],
    ['no nc', { change: { nc: undefined } }],
    ['nc zero', { nc: 0 }],
    ['nc with seven digits', { change: { nc: '0000001' } }],
    ['nc that is not hexadecimal', { change: { nc: '0000000g' } }],
    ['an empty cnonce', { cnonce: '' }],
    ['a response of the wrong length', { change: { response: '"00"' } }],
    ['two names', { change: { 'username*': "UTF-8''Mufasa" } }],
    ['no name', { change: { username: undefined } }],
    ['an invalid userhash', { change: { userhash: 'maybe' } }],
    ['a parameter twice', { change: { NC: '00000001' } }],
  ])('rejects %s, and never marks it stale', async (_, answer) => {
    const adapter = await project.open({});
    expect(await ask(adapter, answerTo(challengeOf(adapter), { ...mufasa, ...answer }))).toEqual(refused);
  });

  it('compares the uri with the whole target, query included', async () => {
    const adapter = await project.open({});
    const challenge = challengeOf(adapter);
    const received = { method: 'DELETE', target: '/a?b=%20c&d' };
    const right = { ...mufasa, method: 'DELETE', uri: '/a?b=%20c&d' };
    expect(await ask(adapter, answerTo(challenge, right), received)).toMatchObject({ username: 'Mufasa' });
    expect(await ask(adapter, answerTo(challenge, { ...right, nc: 2, uri: '/a' }), received)).toEqual(
      refused,
    );
  });

  it('rejects two Authorization headers, even equal ones, and none', async () => {
    const adapter = await project.open({});
    const answer = answerTo(challengeOf(adapter), mufasa);
    expect(await ask(adapter, [answer, answer])).toEqual(refused);
    expect(await ask(adapter, [])).toEqual(refused);
    expect(await ask(adapter, 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==')).toEqual(refused);
  });

  it('marks a correct digest with an expired, foreign or forged nonce stale, but never a wrong one', async () => {
    let now = 1_000_000;
    const clock = (): number => now;
    const adapter = await project.open({ nonce_timeout: '60' }, { clock });
    const old = challengeOf(adapter);
    now += 60_000;
    expect(await ask(adapter, answerTo(old, mufasa))).toEqual(stale);
    expect(await ask(adapter, answerTo(old, { ...mufasa, password: 'x' }))).toEqual(refused);
    const restarted = await project.open({});
    expect(await ask(restarted, answerTo(challengeOf(adapter), mufasa))).toEqual(stale);
    const forged = challengeOf(adapter).replace(/nonce="[^"]*"/, 'nonce="deadbeef"');
    expect(await ask(adapter, answerTo(forged, mufasa))).toEqual(stale);
  });

  it('accepts each nonce count once, also concurrently and out of order', async () => {
    const adapter = await project.open({});
    const challenge = challengeOf(adapter);
    const counts = [3, 1, 2, 1, 3, 2, 100, 4, 100, 4];
    const results = await Promise.all(
      counts.map((nc) => ask(adapter, answerTo(challenge, { ...mufasa, nc }))),
    );
    expect(results.map((result) => result.outcome === 'authenticated')).toEqual(
      counts.map((nc, index) => counts.indexOf(nc) === index),
    );
    expect(results[3]).toEqual(stale);
  });

  it('keeps counts and nonces in a rebuilt adapter of the same deployment', async () => {
    const context = { deployment: new Deployment() };
    const challenge = challengeOf(await project.open({}, context));
    const rebuilt = await project.open({}, context);
    expect(await ask(rebuilt, answerTo(challenge, mufasa))).toMatchObject({ username: 'Mufasa' });
    expect(await ask(await project.open({}, context), answerTo(challenge, mufasa))).toEqual(stale);
  });

  it('stores nothing for challenges and for wrong digests', async () => {
    const state = new MemoryState();
    const adapter = await project.open({}, { deployment: new Deployment(state) });
    for (let index = 0; index < 500; index++) {
      await ask(adapter, answerTo(challengeOf(adapter), { ...mufasa, password: 'guess' }));
    }
    expect(state.nonces).toBe(0);
  });

  it('renews a nonce in the second half of its lifetime, but not in a session variant', async () => {
    let now = 5_000_000;
    const adapter = await project.open({ nonce_timeout: '100' }, { clock: () => now });
    const challenge = challengeOf(adapter);
    const infoOf = async (field: string): Promise<string> => {
      const result = await ask(adapter, field);
      return result.outcome === 'authenticated' ? (result.fields[0]?.[1] ?? '') : 'refused';
    };
    now += 49_999;
    expect(await infoOf(answerTo(challenge, { ...mufasa, nc: 1 }))).not.toContain('nextnonce');
    now += 1;
    expect(await infoOf(answerTo(challenge, { ...mufasa, nc: 2, session: true }))).not.toContain('nextnonce');
    const next = parameterOf(await infoOf(answerTo(challenge, { ...mufasa, nc: 3 })), 'nextnonce');
    now += 60_000;
    const renewed = challenge.replace(/nonce="[^"]*"/, `nonce="${next ?? ''}"`);
    expect(await infoOf(answerTo(renewed, { ...mufasa, nc: 1 }))).toMatch(/^rspauth=/);
    expect(await ask(adapter, answerTo(challenge, { ...mufasa, nc: 4 }))).toEqual(stale);
  });

  it('offers, one header each and one nonce for all, the algorithms for which every user has a line', async () => {
    const nala = { username: 'Nala', password: 'Tonight' };
    await project.write(
      'htdigest',
      [line('MD5'), line('MD5', nala), line('SHA-256'), line('SHA-256', nala), line('SHA-512-256')].join(''),
    );
    const adapter = await project.open({});
    const challenges = adapter.challenges(false);
    expect(challenges.map((challenge) => parameterOf(challenge, 'algorithm'))).toEqual(['SHA-256', 'MD5']);
    expect(new Set(challenges.map((challenge) => parameterOf(challenge, 'nonce'))).size).toBe(1);
    expect(adapter.warnings).toEqual([
      expect.stringMatching(
        /^Authentication adapter "guard": SHA-512-256 is not offered: 1 of 2 users .* \(Nala\)$/,
      ),
    ]);
    const [sha256 = '', md5 = ''] = challenges;
    expect(await ask(adapter, answerTo(sha256, nala))).toMatchObject({ username: 'Nala' });
    expect(await ask(adapter, answerTo(md5, { ...nala, nc: 2 }))).toMatchObject({ username: 'Nala' });
    expect(await ask(adapter, answerTo(md5, nala))).toEqual(stale);
    const notOffered = md5.replace('=MD5', '=SHA-512-256');
    expect(await ask(adapter, answerTo(notOffered, { ...mufasa, nc: 3 }))).toEqual(refused);
  });

  it('rejects a nonce with non-ASCII characters, even with a matching digest', async () => {
    const adapter = await project.open({});
    for (const nonce of ['\u00e9', `${'0'.repeat(67)}\u00ff`]) {
      const foreign = challengeOf(adapter).replace(/nonce="[^"]*"/, `nonce="${nonce}"`);
      for (const session of [false, true])
        expect(await ask(adapter, answerTo(foreign, { ...mufasa, session }))).toMatchObject({
          outcome: 'refused',
        });
    }
  });

  it('waits for an asynchronous count store, and fails when it fails', async () => {
    const slow = await project.open({}, { deployment: counting(() => Promise.resolve('accepted')) });
    expect(await ask(slow, answerTo(challengeOf(slow), mufasa))).toMatchObject({ outcome: 'authenticated' });
    const broken = await project.open({}, { deployment: counting(() => Promise.reject(new Error('gone'))) });
    await expect(ask(broken, answerTo(challengeOf(broken), mufasa))).rejects.toThrow('gone');
  });
});
