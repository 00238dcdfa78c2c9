import { hash } from 'node:crypto';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from './command-run';

interface File {
  readonly keys: readonly { readonly id: string; readonly sha256: string; readonly owner: string }[];
}

describe('apidesc-platform key', () => {
  let folder: string;
  let file: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'mvc-auth-key-'));
    file = join(folder, 'api-keys.json');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  const content = (): File => JSON.parse(readFileSync(file, 'utf8')) as File;
  const create = async (...more: string[]): Promise<string> =>
    (await runHere(['key', 'create', file, '--owner', 'ci', ...more])).out.trim();

  it('prints a created key alone on stdout, and stores its hash', async () => {
    const { code, out, err } = await runHere(['key', 'create', file, '--owner', 'ci', '--scope', 'read']);
    const key = out.trim();
    expect([code, out]).toEqual([0, `${key}\n`]);
    expect(content().keys).toMatchObject([
      { id: key.slice(0, 16), sha256: hash('sha256', key), scopes: ['read'] },
    ]);
    expect(readFileSync(file, 'utf8')).not.toContain(key);
    expect(err).toMatch(
      /^Created the key apidesc_.{8} of "ci" in .*It does not expire\. It is shown only once/,
    );
    expect(err).not.toContain(key);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('takes several scopes and groups, an expiry, a rate limit and a prefix', async () => {
    const words = ['--scope', 'read,write', '--scope', 'admin', '--group', 'staff', '--expires', '30d'];
    const key = await create(...words, '--rate-limit', '100/60', '--prefix', 'shop');
    expect(key).toMatch(/^shop_/);
    expect(content().keys).toMatchObject([
      { scopes: ['read', 'write', 'admin'], groups: ['staff'], rate_limit: { limit: 100, window: 60 } },
    ]);
    const { out } = await runHere(['key', 'list', file]);
    expect(out).toMatch(
      /^KEY +OWNER +SCOPES +GROUPS +CREATED +EXPIRES +LAST USED\nshop_.{8} +ci +read,write,admin +staff +\S+Z +\S+Z +never\n$/,
    );
  });

  it('creates keys of many processes at once without losing one', async () => {
    const keys = await Promise.all(Array.from({ length: 12 }, () => create()));
    expect(new Set(content().keys.map(({ sha256 }) => sha256))).toEqual(
      new Set(keys.map((key) => hash('sha256', key))),
    );
  });

  it('revokes the key that its beginning, or the key itself, identifies', async () => {
    const [one, two, three] = [await create(), await create(), await create()];
    expect(await runHere(['key', 'revoke', file, one.slice(0, 14)])).toMatchObject({
      code: 0,
      out: `Revoked the key ${one.slice(0, 16)} of "ci" in ${file}.\n`,
    });
    expect(await runHere(['key', 'revoke', file, two])).toMatchObject({ code: 0 });
    expect(content().keys.map(({ id }) => id)).toEqual([three.slice(0, 16)]);
  });

  it('refuses to revoke a key that is unknown, ambiguous, or identified by too little', async () => {
    await create();
    const other = await create();
    const unknown = await runHere(['key', 'revoke', file, 'apidesc_00000000zzzz']);
    expect(unknown).toMatchObject({ code: 1, out: '' });
    expect(unknown.err).toContain(
      'contains no key that begins like this. List the keys with: apidesc-platform key list',
    );
    for (const short of ['apidesc_', 'apidesc', `apidesc_${other.slice(8, 10)}`]) {
      const refused = await runHere(['key', 'revoke', file, short]);
      expect(refused).toMatchObject({ code: 1 });
      expect(refused.err).toContain('Write at least 3 characters after the underscore');
    }
    const twins = ['apidesc_AAAA1111', 'apidesc_AAAA2222'].map((id, at) => ({
      id,
      sha256: hash('sha256', String(at)),
      owner: `twin${at}`,
      created: '2026-01-01T00:00:00Z',
    }));
    writeFileSync(file, JSON.stringify({ keys: twins }));
    const { err } = await runHere(['key', 'revoke', file, 'apidesc_AAAA']);
    expect(err).toContain('2 keys of');
    expect(err).toContain('apidesc_AAAA1111 (twin0), apidesc_AAAA2222 (twin1)');
    expect(content().keys).toHaveLength(2);
  });

  it.each([
    [['--owner', ' '], 'The owner has leading or trailing white space'],
    [['--owner', ''], 'The owner is empty'],
    [['--owner', 'a', '--scope', 'read write'], 'The scope "read write"'],
    [['--owner', 'a', '--group', ''], 'The group ""'],
    [['--owner', 'a', '--expires', 'soon'], '"soon" is not a time of expiry'],
    [['--owner', 'a', '--expires', '2020-01-01'], 'is in the past'],
    [['--owner', 'a', '--prefix', 'My-Key'], 'The prefix "My-Key" is invalid'],
    [['--owner', 'a', '--rate-limit', '100'], 'Expected requests and seconds, such as 100/60'],
    [[], "required option '--owner <name>' not specified"],
  ])('refuses %p and creates no file', async (words, reason) => {
    const ended = await runHere(['key', 'create', file, ...words]);
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain(reason);
    expect(existsSync(file)).toBe(false);
  });

  it('refuses a file that is missing, damaged or something else, and leaves it as it is', async () => {
    const missing = await runHere(['key', 'list', file]);
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.err).toContain(`Create it with: apidesc-platform key create ${file} --owner NAME`);
    for (const text of ['{"keys": [', 'ada:{SHA}x\n', '{}']) {
      writeFileSync(file, text);
      for (const words of [
        ['list', file],
        ['create', file, '--owner', 'a'],
        ['revoke', file, 'apidesc_abcd'],
      ]) {
        const ended = await runHere(['key', ...words]);
        expect(ended).toMatchObject({ code: 1, out: '' });
        expect(ended.err).toMatch(/is not (?:JSON|a key file)/);
      }
      expect(readFileSync(file, 'utf8')).toBe(text);
    }
    const nowhere = await runHere(['key', 'create', join(folder, 'none', 'keys.json'), '--owner', 'a']);
    expect(nowhere.err).toContain('does not exist; create it first');
  });

  it('keeps the mode of an existing file', async () => {
    await create();
    chmodSync(file, 0o640);
    await create();
    expect(statSync(file).mode & 0o777).toBe(0o640);
  });
});
