import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestSecret } from '../../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import { runHere } from './command-run';

const md5 = (user: string, password: string, realm = 'api'): string =>
  `${user}:${realm}:${digestSecret('MD5', user, realm, password)}`;
const sha256 = (user: string, password: string): string =>
  `${user}:api:${digestSecret('SHA-256', user, 'api', password)}`;

describe('apidesc-platform htdigest', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mvc-auth-htdigest-'));
    file = join(folder, 'users');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const content = (): Promise<string> => readFile(file, 'utf8');

  it.each([[[]], [['-c']]])('creates a missing file, private to its owner: %j', async (options) => {
    expect(await runHere(['htdigest', ...options, file, 'api', 'amy'], 'one\n')).toEqual({
      code: 0,
      out: `Created ${file}.\nAdded the password of user "amy" in realm "api".\n`,
      err: '',
    });
    expect(await content()).toBe(`${md5('amy', 'one')}\n${sha256('amy', 'one')}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('does not overwrite an existing file without --force', async () => {
    await writeFile(file, `${md5('bob', 'one')}\n`);
    expect(await runHere(['htdigest', '-c', file, 'api', 'amy'], 'one\n')).toMatchObject({
      code: 1,
      err: expect.stringContaining('omit -c to keep its users, or add --force') as string,
    });
    expect(await content()).toBe(`${md5('bob', 'one')}\n`);
    expect(await runHere(['htdigest', '-c', '--force', file, 'api', 'amy'], 'one\n')).toMatchObject({
      code: 0,
    });
    expect(await content()).toBe(`${md5('amy', 'one')}\n${sha256('amy', 'one')}\n`);
  });

  it.each(['-v', '-D'])('creates no file with %s', async (option) => {
    expect(await runHere(['htdigest', option, file, 'api', 'amy'], 'one\n')).toMatchObject({
      code: 1,
      err: `The file ${file} does not exist. Check the path; setting a password creates the file.\n`,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects a Basic password file, and leaves it unchanged', async () => {
    await writeFile(file, 'amy:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n');
    for (const option of [[], ['-D'], ['-v']]) {
      expect(await runHere(['htdigest', ...option, file, 'api', 'amy'], 'one\n')).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${file} is a password file for Basic`) as string,
      });
    }
    expect(await content()).toBe('amy:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\n');
  });

  it('changes one line and keeps comments, other realms, an unterminated last line, and the mode', async () => {
    await writeFile(
      file,
      `# mine\r\n${md5('amy', 'one')}\r\n\r\n${md5('amy', 'x', 'other')}\r\n${md5('bob', 'one')}`,
    );
    await chmod(file, 0o644);
    expect(await runHere(['htdigest', file, 'api', 'amy'], 'two\n')).toMatchObject({
      code: 0,
      out: 'Changed the password of user "amy" in realm "api".\n',
    });
    expect(await content()).toBe(
      `# mine\r\n${md5('amy', 'two')}\r\n${sha256('amy', 'two')}\r\n\r\n${md5('amy', 'x', 'other')}\r\n${md5('bob', 'one')}`,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o644);
  });

  it('adds a line for every algorithm that the realm offers to a new user, MD5 first', async () => {
    await writeFile(file, `${md5('bob', 'one')}\n${sha256('bob', 'one')}\n`);
    await runHere(['htdigest', file, 'api', 'amy'], 'one\n');
    expect((await content()).split('\n').slice(2)).toEqual([md5('amy', 'one'), sha256('amy', 'one'), '']);
  });

  it('adds SHA-256 to MD5, and no MD5 to a realm that does without it', async () => {
    await writeFile(file, `${md5('bob', 'one')}\n`);
    await runHere(['htdigest', file, 'api', 'amy'], 'one\n');
    expect((await content()).split('\n').slice(1)).toEqual([md5('amy', 'one'), sha256('amy', 'one'), '']);
    await writeFile(file, `${sha256('bob', 'one')}\n`);
    await runHere(['htdigest', file, 'api', 'amy'], 'one\n');
    expect((await content()).split('\n').slice(1)).toEqual([sha256('amy', 'one'), '']);
  });

  it('takes several algorithms with -a', async () => {
    await writeFile(file, '');
    await runHere(['htdigest', '-a', 'md5,SHA-256', file, 'api', 'amy'], 'one\n');
    expect(await content()).toBe(`${md5('amy', 'one')}\n${sha256('amy', 'one')}\n`);
    await runHere(['htdigest', '--force', '-a', 'SHA-256', file, 'api', 'amy'], 'two\n');
    expect(await content()).toBe(`${md5('amy', 'one')}\n${sha256('amy', 'two')}\n`);
  });

  it('writes the MD5 line before the other lines of the user, which Apache would read as MD5', async () => {
    await writeFile(file, `${sha256('amy', 'old')}\n# mine\n${md5('amy', 'old')}\n`);
    await runHere(['htdigest', file, 'api', 'amy'], 'new\n');
    expect(await content()).toBe(`${md5('amy', 'new')}\n${sha256('amy', 'new')}\n# mine\n`);
    await writeFile(file, `${sha256('amy', 'old')}\n`);
    expect(await runHere(['htdigest', '-a', 'MD5', file, 'api', 'amy'], 'new\n')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Added the password of user "amy"') as string,
    });
    expect(await content()).toBe(`${md5('amy', 'new')}\n${sha256('amy', 'old')}\n`);
  });

  describe('with a change that removes an algorithm for other users', () => {
    const before = `${md5('amy', 'one')}\n${md5('bob', 'one')}\n`;
    const strong = ['htdigest', '-a', 'SHA-256', 'FILE', 'api', 'carol'];
    const named = (args: readonly string[]): string[] => args.map((one) => (one === 'FILE' ? file : one));
    beforeEach(() => writeFile(file, before));

    it('changes nothing, explains the consequence and names the option', async () => {
      expect(await runHere(named(strong), 'one\n')).toEqual({
        code: 1,
        out: '',
        err:
          'No algorithm would be left that all users of realm "api" have: only MD5 would be offered, and "carol", without a line for it, could not sign in. ' +
          'Omit -a to set all lines of the user. Nothing was changed; add --force to do it anyway.\n',
      });
      expect(await content()).toBe(before);
    });

    it('continues with --force, and warns', async () => {
      expect(await runHere([...named(strong), '--force'], 'one\n')).toMatchObject({
        code: 0,
        err: expect.stringContaining('Warning: No algorithm would be left that all users') as string,
      });
      expect(await content()).toBe(`${before}${sha256('carol', 'one')}\n`);
    });

    it('also warns when all others would lose an offered algorithm', async () => {
      await writeFile(file, `${md5('amy', 'one')}\n${sha256('amy', 'one')}\n`);
      const weak = ['htdigest', '-a', 'MD5', file, 'api', 'carol'];
      expect(await runHere(weak, 'one\n')).toMatchObject({
        code: 1,
        err: expect.stringContaining(
          'SHA-256 would no longer be offered to the users of realm "api"',
        ) as string,
      });
    });

    it('warns of a deletion that leaves no common algorithm', async () => {
      await writeFile(file, `${md5('amy', 'one')}\n${sha256('amy', 'one')}\n${md5('bob', 'one')}\n`);
      const deletion = ['htdigest', '-D', '-a', 'MD5', file, 'api', 'amy'];
      expect(await runHere(deletion)).toMatchObject({ code: 1 });
      expect(await runHere([...deletion, '--force'])).toMatchObject({ code: 0 });
    });

    it('requires no confirmation when no user is affected', async () => {
      expect(await runHere(['htdigest', '-a', 'SHA-256', file, 'api', 'amy'], 'one\n')).toMatchObject({
        code: 0,
      });
      expect(await runHere(['htdigest', '-a', 'SHA-256', file, 'other', 'amy'], 'one\n')).toMatchObject({
        code: 0,
      });
    });
  });

  it('replaces all lines of a user, so that no old password remains valid', async () => {
    await writeFile(file, `${md5('amy', 'old')}\n${sha256('amy', 'old')}\n${md5('amy', 'older')}\n`);
    await runHere(['htdigest', file, 'api', 'amy'], 'new\n');
    expect(await content()).toBe(`${md5('amy', 'new')}\n${sha256('amy', 'new')}\n`);
  });

  it('sets the line of one algorithm with -a, and reports that others are unchanged', async () => {
    await writeFile(file, `${md5('amy', 'one')}\n`);
    const ended = await runHere(['htdigest', '-a', 'sha-256', file, 'api', 'amy'], 'two\n');
    expect(ended.out).toContain('also has a line for MD5, with an unchanged password');
    expect(await content()).toBe(`${md5('amy', 'one')}\n${sha256('amy', 'two')}\n`);
    await runHere(['htdigest', '-a', 'SHA-512-256', file, 'api', 'amy'], 'two\n');
    expect(await content()).toMatch(/\namy:api:\{SHA-512-256\}[0-9a-f]{64}\n$/);
    expect(await runHere(['htdigest', '-a', 'SHA-1', file, 'api', 'amy'], 'two\n')).toMatchObject({
      code: 1,
    });
  });

  it('deletes a user of a realm, or only the line of an algorithm', async () => {
    await writeFile(file, `${md5('amy', 'one')}\n${sha256('amy', 'one')}\n${md5('amy', 'x', 'other')}\n`);
    expect(await runHere(['htdigest', '-D', '-a', 'MD5', file, 'api', 'amy'])).toMatchObject({ code: 0 });
    expect(await content()).toBe(`${sha256('amy', 'one')}\n${md5('amy', 'x', 'other')}\n`);
    expect(await runHere(['htdigest', '-D', file, 'api', 'amy'])).toMatchObject({ code: 0 });
    expect(await content()).toBe(`${md5('amy', 'x', 'other')}\n`);
    expect(await runHere(['htdigest', '-D', file, 'api', 'amy'])).toMatchObject({
      code: 1,
      err: `${file} has no user "amy" in realm "api".\n`,
    });
  });

  it('verifies a password with -v and changes nothing', async () => {
    const text = `${md5('amy', 'one')}\n${sha256('amy', 'two')}\n`;
    await writeFile(file, text);
    const verify = async (args: string[], password: string): Promise<number | undefined> =>
      (await runHere(['htdigest', '-v', ...args], `${password}\n`)).code;
    expect(await verify(['-a', 'MD5', file, 'api', 'amy'], 'one')).toBe(0);
    expect(await verify(['-a', 'SHA-256', file, 'api', 'amy'], 'one')).toBe(3);
    expect(await verify([file, 'api', 'amy'], 'one')).toBe(3);
    expect(await verify([file, 'api', 'bob'], 'one')).toBe(1);
    expect(await verify([`${file}.no`, 'api', 'amy'], 'one')).toBe(1);
    expect(await content()).toBe(text);
  });

  it.each([
    ['a colon in the name', ['api', 'a:b'], 'one', 'The user name contains a colon'],
    ['a colon in the realm', ['a:b', 'amy'], 'one', 'The realm contains a colon'],
    ['a line break', ['api', 'amy\nroot'], 'one', 'The user name contains control characters'],
    ['a tab in the realm', ['a\tb', 'amy'], 'one', 'The realm contains control characters'],
    ['an empty name', ['api', ''], 'one', 'The user name is empty'],
    ['an empty realm', ['', 'amy'], 'one', 'The realm is empty'],
    ['a name that makes a comment', ['api', '#amy'], 'one', 'The user name starts with #'],
    [
      'a name that ends in a space',
      ['api', 'amy '],
      'one',
      'The user name has leading or trailing white space',
    ],
    ['a name that is too long', ['api', 'ä'.repeat(128)], 'one', 'The user name is longer than 255 bytes'],
    ['an empty password', ['api', 'amy'], '', 'The password is empty'],
    [
      'a control character in the password',
      ['api', 'amy'],
      'a\u0007b',
      'The password contains control characters',
    ],
  ])('rejects %s', async (_, names, password, message) => {
    const ended = await runHere(['htdigest', '-c', file, ...names], `${password}\n`);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(message);
    expect(await readdir(folder)).toEqual([]);
  });

  it('rejects contradicting options, and empty standard input', async () => {
    await writeFile(file, '');
    expect(await runHere(['htdigest', '-D', '-v', file, 'api', 'amy'], 'x\n')).toMatchObject({ code: 1 });
    expect(await runHere(['htdigest', file, 'api', 'amy'])).toMatchObject({
      code: 1,
      err: 'Standard input contains no password.\n',
    });
  });
});
