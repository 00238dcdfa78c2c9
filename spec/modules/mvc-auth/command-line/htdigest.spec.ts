import { chmod, mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestSecret } from '../../../../src/modules/mvc-auth/password-files/digest-algorithm';
import { runHere } from './command-run';

const md5 = (user: string, password: string, realm = 'api'): string =>
  `${user}:${realm}:${digestSecret('MD5', user, realm, password)}`;
const sha256 = (user: string, password: string): string =>
  `${user}:api:${digestSecret('SHA-256', user, 'api', password)}`;

describe('platform htdigest', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mvc-auth-htdigest-'));
    file = join(folder, 'users');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const content = (): Promise<string> => readFile(file, 'utf8');

  it('creates a file with -c, private to its owner', async () => {
    expect(await runHere(['htdigest', '-c', file, 'api', 'amy'], 'one\n')).toEqual({
      code: 0,
      out: 'Added the password of user "amy" in realm "api".\n',
      err: '',
    });
    expect(await content()).toBe(`${md5('amy', 'one')}\n`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
  });

  it('does not begin an existing file anew unless it is forced', async () => {
    await writeFile(file, `${md5('bob', 'one')}\n`);
    expect(await runHere(['htdigest', '-c', file, 'api', 'amy'], 'one\n')).toMatchObject({
      code: 1,
      err: expect.stringContaining('leave -c out to keep its users, or add --force') as string,
    });
    expect(await content()).toBe(`${md5('bob', 'one')}\n`);
    expect(await runHere(['htdigest', '-c', '--force', file, 'api', 'amy'], 'one\n')).toMatchObject({
      code: 0,
    });
    expect(await content()).toBe(`${md5('amy', 'one')}\n`);
  });

  it('says that -c creates a file that is not there', async () => {
    expect(await runHere(['htdigest', file, 'api', 'amy'], 'one\n')).toMatchObject({
      code: 1,
      err: `There is no file ${file}; create it with -c.\n`,
    });
    expect(await readdir(folder)).toEqual([]);
  });

  it('changes one line and keeps comments, other realms, a last line without end, and the mode', async () => {
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
      `# mine\r\n${md5('amy', 'two')}\r\n\r\n${md5('amy', 'x', 'other')}\r\n${md5('bob', 'one')}`,
    );
    expect((await stat(file)).mode & 0o777).toBe(0o644);
  });

  it('gives a new user a line for every algorithm that the realm offers', async () => {
    await writeFile(file, `${md5('bob', 'one')}\n${sha256('bob', 'one')}\n`);
    await runHere(['htdigest', file, 'api', 'amy'], 'one\n');
    expect((await content()).split('\n').slice(2)).toEqual([sha256('amy', 'one'), md5('amy', 'one'), '']);
  });

  it('renews all lines of a user, so that no old password lives on', async () => {
    await writeFile(file, `${md5('amy', 'old')}\n${sha256('amy', 'old')}\n${md5('amy', 'older')}\n`);
    await runHere(['htdigest', file, 'api', 'amy'], 'new\n');
    expect(await content()).toBe(`${md5('amy', 'new')}\n${sha256('amy', 'new')}\n`);
  });

  it('sets the line of one algorithm with -a, and says that others stay', async () => {
    await writeFile(file, `${md5('amy', 'one')}\n`);
    const ended = await runHere(['htdigest', '-a', 'sha-256', file, 'api', 'amy'], 'two\n');
    expect(ended.out).toContain('also has a line for MD5, which keeps its password');
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
      err: `There is no user "amy" in realm "api" in ${file}.\n`,
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
    ['a colon in the name', ['api', 'a:b'], 'one', 'The user name has a colon'],
    ['a colon in the realm', ['a:b', 'amy'], 'one', 'The realm has a colon'],
    ['a line break', ['api', 'amy\nroot'], 'one', 'The user name has control characters'],
    ['a tab in the realm', ['a\tb', 'amy'], 'one', 'The realm has control characters'],
    ['an empty name', ['api', ''], 'one', 'The user name is empty'],
    ['an empty realm', ['', 'amy'], 'one', 'The realm is empty'],
    ['a name that makes a comment', ['api', '#amy'], 'one', 'The user name begins with #'],
    ['a name that ends in a space', ['api', 'amy '], 'one', 'The user name has white space around it'],
    ['a name that is too long', ['api', 'ä'.repeat(128)], 'one', 'The user name is longer than 255 bytes'],
    ['an empty password', ['api', 'amy'], '', 'The password is empty'],
    [
      'a control character in the password',
      ['api', 'amy'],
      'a\u0007b',
      'The password has control characters',
    ],
  ])('refuses %s', async (_, names, password, message) => {
    const ended = await runHere(['htdigest', '-c', file, ...names], `${password}\n`);
    expect(ended.code).toBe(1);
    expect(ended.err).toContain(message);
    expect(await readdir(folder)).toEqual([]);
  });

  it('refuses options that contradict each other, and nothing on the standard input', async () => {
    await writeFile(file, '');
    expect(await runHere(['htdigest', '-D', '-v', file, 'api', 'amy'], 'x\n')).toMatchObject({ code: 1 });
    expect(await runHere(['htdigest', file, 'api', 'amy'])).toMatchObject({
      code: 1,
      err: 'No password came on the standard input.\n',
    });
  });
});
