import fc from 'fast-check';
import { chmod, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuthenticationAdapter } from '../../../../src/modules/mvc-auth/adapters/adapter';
import { AuthConfigurationError } from '../../../../src/modules/mvc-auth/http-adapter/auth-configuration-error';
import type { HttpAdapterOptions } from '../../../../src/modules/mvc-auth/http-adapter/http-adapter';
import { digestSecret } from '../../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import { ask, testProject, until, type TestProject } from './adapter-factory';
import { answerTo, parameterOf } from '../http/digest-client';
import { anyText } from '../../../factories/any-text';

const mufasa = { username: 'Mufasa', password: 'Circle of Life' };
const nala = { username: 'Nala', password: 'Tonight' };
const line = ({ username, password }: { username: string; password: string }): string =>
  `${username}:api:${digestSecret('MD5', username, 'api', password)}\n`;

/** SHA-1 of "password", in Apache's format. */
const SHA1_LINE = 'bob:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n';
const BOB = `Basic ${Buffer.from('bob:password').toString('base64')}`;

describe('the HTTP adapter', () => {
  let project: TestProject;
  beforeEach(async () => {
    project = await testProject();
    await project.write('htdigest', line(mufasa));
    await project.write('htpasswd', SHA1_LINE);
  });
  afterEach(() => project.close());

  const both: Partial<HttpAdapterOptions> = {
    accept_schemes: ['basic', 'digest'],
    htpasswd: 'htpasswd',
    allow_downgrade: true,
  };
  const canEnter = async (
    adapter: AuthenticationAdapter,
    user: { username: string; password: string },
  ): Promise<boolean> => {
    const result = await ask(adapter, answerTo(adapter.challenges(false)[0] ?? '', user));
    return result.outcome === 'authenticated';
  };

  it('offers both schemes when the downgrade is allowed, Digest first', async () => {
    const adapter = await project.open(both);
    expect(adapter.schemes).toEqual(['Digest', 'Basic']);
    expect(adapter.challenges(false).map((challenge) => challenge.split(' ')[0])).toEqual([
      'Digest',
      'Basic',
    ]);
    expect(await canEnter(adapter, mufasa)).toBe(true);
    expect(await ask(adapter, BOB)).toMatchObject({ username: 'bob' });
    expect(await ask(adapter, 'Bearer QQ==')).toEqual({ outcome: 'refused', stale: false });
  });

  it.each<[string, Partial<HttpAdapterOptions>, RegExp]>([
    ['Basic and Digest', { ...both, allow_downgrade: false }, /allow_downgrade to true/],
    ['no scheme', { accept_schemes: [] }, /accept_schemes is empty; write "basic" or "digest"/],
    ['an empty realm', { realm: '' }, /realm is ""; write a readable name/],
    ['a realm with a quote', { realm: 'a "b"' }, /realm is .*quotes and backslashes break many clients/],
    ['a realm with a line break', { realm: 'a\nb' }, /control characters/],
    ['a realm with a colon', { realm: 'a:b' }, /realm is "a:b"; Digest does not allow a colon/],
    ['a quote in digest_domains', { digest_domains: '/a "' }, /digest_domains is .*write ASCII URIs/],
    ['no qop', { qop: [] }, /qop is empty; write "auth" or "auth-int"/],
    ['nonce_timeout zero', { nonce_timeout: '0' }, /nonce_timeout is "0"; write a number of seconds/],
    ['nonce_timeout with a unit', { nonce_timeout: '5m' }, /nonce_timeout is "5m"/],
    ['no htdigest', { htdigest: '' }, /htdigest is missing; set the path of the password file/],
    ['no htpasswd', { accept_schemes: ['basic'] }, /htpasswd is missing/],
    ['a realm without a line', { realm: 'API' }, /htdigest has no line of realm "API"/],
    [
      'a missing digest file',
      { htdigest: 'gone' },
      /the file .*gone does not exist; create it with: npx apidesc-platform htdigest -c .*gone "api" USER$/,
    ],
    [
      'a missing password file',
      { accept_schemes: ['basic'], htpasswd: 'no/folder' },
      /the file .*no\/folder does not exist; create it with: npx apidesc-platform htpasswd -c .*no\/folder USER$/,
    ],
    [
      'a folder instead of a file',
      { htdigest: '.' },
      /htdigest: \/.* is a folder; configure the path of a file$/,
    ],
  ])('rejects %s with a message that names the adapter and the fix', async (_, options, message) => {
    const opening = project.open(options);
    await expect(opening).rejects.toThrow(AuthConfigurationError);
    await expect(opening).rejects.toThrow(/^Authentication adapter "guard": /);
    await expect(opening).rejects.toThrow(message);
  });

  it('offers the most common algorithms when no algorithm covers all users, and warns about the others', async () => {
    const strong = (name: string): string => `${name}:api:${'0'.repeat(64)}\n`;
    await project.write('htdigest', `${line(mufasa)}${strong('Nala')}`);
    const adapter = await project.open({});
    expect(adapter.challenges(false)).toEqual([expect.stringContaining('algorithm=MD5')]);
    expect(adapter.warnings).toEqual([
      expect.stringContaining(
        'SHA-256 is not offered: 1 of 2 users of realm "api" have no line for it',
      ) as string,
      expect.stringMatching(
        /MD5 is offered, but these users cannot sign in with it: 1 of 2 .* \(Nala\)$/,
      ) as string,
    ]);
    expect(await ask(adapter, answerTo(adapter.challenges(false)[0] ?? '', mufasa))).toMatchObject({
      outcome: 'authenticated',
    });
    await project.write('most', `${line(mufasa)}${strong('Nala')}${strong('Sarabi')}`);
    const most = await project.open({ htdigest: 'most' });
    expect(most.challenges(false)).toEqual([expect.stringContaining('algorithm=SHA-256')]);
  });

  it('never throws, and rejects arbitrary credentials', async () => {
    const adapter = await project.open(both);
    const right = answerTo(adapter.challenges(false)[0] ?? '', mufasa);
    const spoilt = fc
      .tuple(fc.nat(right.length), fc.nat(8), anyText({ maxLength: 8 }))
      .map(([at, cut, text]) => right.slice(0, at) + text + right.slice(at + cut));
    const anything = fc.oneof(
      anyText(),
      anyText().map((text) => `Digest ${text}`),
      fc.string().map((text) => `Basic ${text}`),
      fc.base64String().map((text) => `Basic ${text}`),
      spoilt.filter((text) => text !== right),
    );
    const fields = fc.array(anything, { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(fields, anyText(), async (authorization, target) => {
        expect(await ask(adapter, authorization, { target })).toMatchObject({ outcome: 'refused' });
      }),
      { numRuns: 500 },
    );
  });

  it('reloads a file that was written in place or replaced', async () => {
    const adapter = await project.open({});
    const path = join(project.root, 'htdigest');
    await writeFile(path, line(mufasa) + line(nala));
    await until(() => canEnter(adapter, nala));
    await writeFile(`${path}.new`, line(nala));
    await rename(`${path}.new`, path);
    await until(async () => !(await canEnter(adapter, mufasa)));
    await writeFile(`${path}.new`, line(mufasa));
    await rename(`${path}.new`, path);
    await until(() => canEnter(adapter, mufasa));
    expect(await canEnter(adapter, nala)).toBe(false);
    expect(project.warned).toEqual([]);
  });

  it('keeps the last valid users while the file is missing, warns, and reloads it when it is back', async () => {
    const adapter = await project.open({});
    const path = join(project.root, 'htdigest');
    await rm(path);
    await until(() => project.warned.length > 0);
    expect(project.warned[0]).toMatch(
      /"guard": the file .* does not exist; the users of the last valid version/,
    );
    expect(await canEnter(adapter, mufasa)).toBe(true);
    await writeFile(path, line(nala));
    await until(() => canEnter(adapter, nala));
    expect(await canEnter(adapter, mufasa)).toBe(false);
  });

  it('accepts nobody, and still challenges, after the last user was removed', async () => {
    const adapter = await project.open({});
    await project.write('htdigest', '# nobody\n');
    await until(async () => !(await canEnter(adapter, mufasa)));
    expect(parameterOf(adapter.challenges(false)[0] ?? '', 'algorithm')).toBe('MD5');
    expect(project.warned).toEqual([expect.stringMatching(/no user of realm "api": nobody can sign in/)]);
  });

  it.each([
    ['htdigest', line(nala)],
    ['htpasswd', SHA1_LINE],
  ])(
    'keeps the last users while every line of the file for %s is malformed, and says when it is valid again',
    async (file, repaired) => {
      const adapter = await project.open(both);
      await project.write(file, 'Mufasa\nbob\n'.repeat(5_000));
      await until(() => project.warned.length > 0);
      const path = join(project.root, file);
      const form = file === 'htdigest' ? 'user:realm:hash' : 'user:hash';
      expect(project.warned).toEqual([
        `Authentication adapter "guard": the file ${path} has no valid line (${form}); the users of the last valid version stay active. Restore the file.`,
      ]);
      expect(await canEnter(adapter, mufasa)).toBe(true);
      expect(await ask(adapter, BOB)).toMatchObject({ username: 'bob' });
      await project.write(file, repaired);
      await until(() => project.warned.length > 1);
      expect(project.warned.slice(1)).toEqual([
        `Authentication adapter "guard": ${path} is valid again and has been loaded`,
      ]);
      expect(await canEnter(adapter, nala)).toBe(file === 'htdigest');
    },
  );

  it('disables a user whose hash was replaced by an unsupported one, even the last user', async () => {
    const adapter = await project.open({ accept_schemes: ['basic'], htpasswd: 'htpasswd' });
    await project.write('htpasswd', 'bob:!\n');
    await until(async () => (await ask(adapter, BOB)).outcome === 'refused');
  });

  it('lists the first invalid lines on reload, and counts the rest', async () => {
    const adapter = await project.open({});
    await project.write('htdigest', `${'Scar\n'.repeat(500)}${line(nala)}`);
    await until(() => canEnter(adapter, nala));
    expect(project.warned).toHaveLength(11);
    expect(project.warned[9]).toMatch(/htdigest, line 10: /);
    expect(project.warned[10]).toMatch(/htdigest has 490 more such lines$/);
    await project.write('htdigest', line(nala));
    await until(() => project.warned.length > 11);
    expect(project.warned[11]).toMatch(/htdigest is valid again and has been loaded$/);
  });

  it('reports the invalid lines on reload, and uses the others', async () => {
    const adapter = await project.open({});
    await project.write('htdigest', `# users\r\n\r\nScar\r\n${line(nala).trim()}`);
    await until(() => canEnter(adapter, nala));
    expect(project.warned).toEqual([
      expect.stringMatching(/htdigest, line 3: expected user:realm:hash in UTF-8; the line is ignored$/),
    ]);
  });

  it('drops verified credentials when the file changes', async () => {
    const adapter = await project.open({ accept_schemes: ['basic'], htpasswd: 'htpasswd' });
    expect(await ask(adapter, BOB)).toMatchObject({ outcome: 'authenticated' });
    await project.write('htpasswd', 'bob:{SHA}AAAAAAAAAAAAAAAAAAAAAAAAAAA=\n');
    await until(async () => (await ask(adapter, BOB)).outcome === 'refused');
  });

  it('stops watching after it was disposed of', async () => {
    const adapter = await project.open({});
    await adapter.dispose();
    await project.write('htdigest', line(nala));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(await canEnter(adapter, nala)).toBe(false);
    expect(await canEnter(adapter, mufasa)).toBe(true);
  });

  it('accepts an absolute path outside the root', async () => {
    const other = await testProject();
    await other.write('users', line(nala));
    await chmod(join(other.root, 'users'), 0o600);
    expect(await canEnter(await project.open({ htdigest: join(other.root, 'users') }), nala)).toBe(true);
    await other.close();
  });
});
