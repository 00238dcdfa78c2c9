import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import type { AuthenticationResult } from '../../../../src/modules/mvc-auth/http/authentication';
import {
  DIGEST_ALGORITHMS,
  digestSecret,
  type DigestAlgorithm,
} from '../../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import { formatDigestLine } from '../../../../src/modules/mvc-auth/password-files/digest-table';
import { ask, testProject, type TestProject } from './adapter-factory';
import { answerTo, parameterOf, type ClientAnswer } from '../http/digest-client';

const mufasa = { username: 'Mufasa', password: 'Circle of Life', method: 'POST' };
const refused = { outcome: 'refused', stale: false };
const stale = { outcome: 'refused', stale: true };

const line = (algorithm: DigestAlgorithm): string =>
  `${formatDigestLine({
    username: mufasa.username,
    realm: 'api',
    algorithm,
    secret: digestSecret(algorithm, mufasa.username, 'api', mufasa.password),
  })}\n`;

describe('a Digest adapter that offers auth-int', () => {
  let project: TestProject;
  let reads: number;
  beforeEach(async () => {
    reads = 0;
    project = await testProject();
    await project.write('htdigest', line('MD5'));
  });
  afterEach(() => project.close());

  const open = (): Promise<AuthenticationAdapter> => project.open({ qop: ['auth', 'auth-int'] });
  const challengeOf = (adapter: AuthenticationAdapter): string => adapter.challenges(false)[0] ?? '';
  const send = (
    adapter: AuthenticationAdapter,
    field: string,
    body?: string,
  ): Promise<AuthenticationResult> =>
    ask(adapter, field, {
      method: 'POST',
      ...(body === undefined
        ? {}
        : {
            body: () => {
              reads++;
              return Promise.resolve(Buffer.from(body));
            },
          }),
    });

  it('lists it with auth, in the order of its option', async () => {
    expect(challengeOf(await open())).toContain(', qop="auth, auth-int", ');
    expect(challengeOf(await project.open({ qop: ['auth-int'] }))).toContain(', qop="auth-int", ');
  });

  it.each(
    DIGEST_ALGORITHMS.flatMap((algorithm) => [false, true].map((session) => [algorithm, session] as const)),
  )('accepts the password, covering the body, with %s (session variant: %s)', async (algorithm, session) => {
    await project.write('htdigest', line(algorithm));
    const adapter = await open();
    const challenge = challengeOf(adapter);
    const field = answerTo(challenge, { ...mufasa, session, body: 'größe=1' });
    const result = await send(adapter, field, 'größe=1');
    expect(result).toMatchObject({ outcome: 'authenticated', username: 'Mufasa', fields: [] });
    const proof = (body: string): string =>
      parameterOf(answerTo(challenge, { ...mufasa, session, method: '', body }), 'response') ?? '';
    const over = (body: string | undefined): unknown =>
      result.outcome === 'authenticated' &&
      result.fieldsOver?.(body === undefined ? body : Buffer.from(body));
    const rest = 'qop=auth-int, cnonce="c0ffee", nc=00000001';
    expect(over('{"a":1}')).toEqual([['Authentication-Info', `rspauth="${proof('{"a":1}')}", ${rest}`]]);
    expect(over('')).toEqual([['Authentication-Info', `rspauth="${proof('')}", ${rest}`]]);
    expect(over(undefined)).toEqual([['Authentication-Info', rest]]);
  });

  it('rejects a changed body, and a missing one', async () => {
    const adapter = await open();
    const field = answerTo(challengeOf(adapter), { ...mufasa, body: 'pay=1' });
    expect(await send(adapter, field, 'pay=1000')).toEqual(refused);
    expect(await send(adapter, field)).toEqual(refused);
    expect(await send(adapter, field, 'pay=1')).toMatchObject({ outcome: 'authenticated' });
    expect(await send(adapter, field, 'pay=1')).toEqual(stale);
  });

  it('treats a request without a body as one with an empty body', async () => {
    const adapter = await open();
    const field = answerTo(challengeOf(adapter), { ...mufasa, body: '' });
    expect(await send(adapter, field)).toMatchObject({ outcome: 'authenticated' });
  });

  it('accepts auth too, without reading the body', async () => {
    const adapter = await open();
    const field = answerTo(challengeOf(adapter), mufasa);
    expect(await send(adapter, field, 'pay=1')).toMatchObject({ outcome: 'authenticated' });
    expect(reads).toBe(0);
  });

  it.each<[string, Partial<ClientAnswer>]>([
    ['another realm', { change: { realm: '"other"' } }],
    ['another opaque', { change: { opaque: '"x"' } }],
    ['another target', { uri: '/other' }],
    ['an algorithm that is not offered', { change: { algorithm: 'SHA-256' } }],
    ['a malformed nonce', { change: { nonce: '"abc"' } }],
    ['no nc', { change: { nc: undefined } }],
    ['an unknown quality of protection', { change: { qop: 'auth-conf' } }],
  ])('does not read the body for %s', async (_, change) => {
    const adapter = await open();
    const field = answerTo(challengeOf(adapter), { ...mufasa, body: 'x', ...change });
    expect(await send(adapter, field, 'x')).toEqual(refused);
    expect(reads).toBe(0);
  });

  it('reads it for unknown users as for known ones', async () => {
    const adapter = await open();
    for (const who of [{ username: 'Scar' }, { password: 'wrong' }]) {
      const field = answerTo(challengeOf(adapter), { ...mufasa, ...who, body: 'x' });
      expect(await send(adapter, field, 'x')).toEqual(refused);
    }
    expect(reads).toBe(2);
  });

  it('marks a correct digest stale when its nonce predates a restart', async () => {
    const before = answerTo(challengeOf(await open()), { ...mufasa, body: 'x' });
    expect(await send(await open(), before, 'x')).toEqual(stale);
    expect(await send(await open(), before, 'y')).toEqual(refused);
  });

  it('fails when the body cannot be read', async () => {
    const adapter = await open();
    const authorization = [answerTo(challengeOf(adapter), { ...mufasa, body: 'x' })];
    const body = (): Promise<Buffer> => Promise.reject(new Error('gone'));
    const received = { method: 'POST', target: '/', address: '', authorization, body };
    await expect(Promise.resolve(adapter.authenticate(received))).rejects.toThrow('gone');
  });
});
