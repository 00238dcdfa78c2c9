import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from './command-run';

describe('apidesc-platform htpasswd', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mvc-auth-htpasswd-'));
    file = join(folder, 'users');
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));
  const content = (): Promise<string> => readFile(file, 'utf8');

  it('writes bcrypt with the requested cost, 12 by default', async () => {
    expect(await runHere(['htpasswd', '-c', '-C', '4', file, 'amy'], 'one\n')).toMatchObject({ code: 0 });
    expect(await content()).toMatch(/^amy:\$2y\$04\$[./0-9A-Za-z]{53}\n$/);
    await runHere(['htpasswd', file, 'bob'], 'one\n');
    expect(await content()).toMatch(/\nbob:\$2y\$12\$/);
  });

  it.each(['3', '18', 'ten', '-1', '5.5'])('rejects the cost %s', async (cost) => {
    const ended = await runHere(['htpasswd', '-c', `--cost=${cost}`, file, 'amy'], 'one\n');
    expect(ended).toMatchObject({ code: 1, err: expect.stringContaining('from 4 to 17') as string });
  });

  it('reports a missing folder before it asks for the password', async () => {
    const missing = join(folder, 'data');
    // Without input, asking for the password would be the error.
    expect(await runHere(['htpasswd', join(missing, 'users'), 'amy'])).toMatchObject({
      code: 1,
      err: `The folder ${missing} does not exist; create it first.\n`,
    });
  });

  it('changes and deletes users and keeps the rest byte for byte', async () => {
    await writeFile(file, '# mine\namy:old\nbob:x');
    await runHere(['htpasswd', '-C', '4', file, 'amy'], 'two\n');
    expect(await content()).toMatch(/^# mine\namy:\$2y\$04\$.{53}\nbob:x$/);
    expect(await runHere(['htpasswd', '-D', file, 'amy'])).toMatchObject({
      code: 0,
      out: 'Deleted user "amy".\n',
    });
    expect(await content()).toBe('# mine\nbob:x');
  });

  it('verifies a password of every supported hash type', async () => {
    await writeFile(file, 'bob:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\nplain:text\n');
    expect(await runHere(['htpasswd', '-v', file, 'bob'], 'password\n')).toEqual({
      code: 0,
      out: 'The password of user "bob" is correct.\n',
      err: '',
    });
    expect(await runHere(['htpasswd', '-v', file, 'bob'], 'Password\n')).toMatchObject({ code: 3, out: '' });
  });

  it.each([
    [
      'des',
      'rqXexS6ZhobKA',
      'a DES hash (crypt), which is not supported unless the adapter opts in with "weak_hashes": ["des"]',
    ],
    [
      'plain',
      'text',
      'a plain-text password, which is not supported unless the adapter opts in with "weak_hashes": ["plain"]',
    ],
    ['odd', '$9$abc', 'a hash of an unsupported kind'],
  ])('reports why it cannot verify the line of user "%s"', async (user, stored, reason) => {
    await writeFile(file, `${user}:${stored}\n`);
    const ended = await runHere(['htpasswd', '-v', file, user], `${stored}\n`);
    expect(ended).toMatchObject({ code: 1, out: '' });
    expect(ended.err).toContain(`The line of user "${user}" in ${file} has ${reason}`);
    expect(ended.err).toContain(`apidesc-platform htpasswd ${file} ${user}`);
  });

  it('creates a missing file', async () => {
    expect(await runHere(['htpasswd', '-C', '4', file, 'amy'], 'one\n')).toMatchObject({
      code: 0,
      out: `Created ${file}.\nAdded the password of user "amy".\n`,
    });
  });

  it.each([
    ['the keys of an API', '{\n  "keys": [\n    {"id":"apidesc_1","owner":"amy"}\n  ]\n}\n', 1],
    ['JSON in one line', '{"server":{"port":8080}}', 1],
    ['a certificate', '# mine\n-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n', 2],
    ['variables', 'URL=redis://localhost\nPORT=8080\n', 1],
    ['a variable', 'DATABASE_URL=postgres://u:p@h/db', 1],
    ['a variable that looks like DES', 'ISSUER=https://example.com\nPORT=8080\n', 1],
    ['YAML', 'server:\n  port: 8080\n', 1],
    ['groups', '# mine\nreader: amy bob\namy: bob\n', 2],
  ])('rejects %s, which it would damage', async (_, text, line) => {
    await writeFile(file, text);
    for (const words of [
      ['htpasswd', file, 'amy'],
      ['htpasswd', '-D', file, 'amy'],
      ['htdigest', file, 'api', 'amy'],
    ])
      expect(await runHere(words, 'one\n')).toMatchObject({
        code: 1,
        err: `${file} is not a password file: line ${line} is not that of a user, such as user:hash. Name another file, or remove the line.\n`,
      });
    expect(await content()).toBe(text);
  });

  it('keeps invalid lines next to those of users, and hashes of unknown kinds', async () => {
    for (const text of [
      'amy:{SHA}W6ph5Mm5Pz8GgiULbPgzG37mj9g=\nbob\n',
      'amy:$argon2id$v=19$m=1,t=1,p=1$x$y\n',
      '[amy]:$argon2id$v=19$m=1,t=1,p=1$x$y\n',
      'amy:plain\n',
      'amy:{PBKDF2}x\nnotes: none\n',
      '# amy: none\n\n',
      '',
    ]) {
      await writeFile(file, text);
      expect(await runHere(['htpasswd', '-C', '4', file, 'eve'], 'one\n')).toMatchObject({ code: 0 });
      const written = await content();
      expect(written.slice(0, text.length)).toBe(text);
      expect(written.slice(text.length)).toMatch(/^eve:.*\n$/);
    }
  });

  it('rejects a digest file, and leaves it unchanged', async () => {
    const line = `amy:api:${'0'.repeat(32)}\n`;
    await writeFile(file, `# mine\n${line}`);
    for (const option of [[], ['-D'], ['-v']]) {
      expect(await runHere(['htpasswd', ...option, file, 'amy'], 'one\n')).toMatchObject({
        code: 1,
        err: expect.stringContaining(`${file} is a digest file`) as string,
      });
    }
    expect(await content()).toBe(`# mine\n${line}`);
  });

  it('rejects a password of more than 72 bytes, and names that the format cannot represent', async () => {
    const long = await runHere(['htpasswd', '-c', '-C', '4', file, 'amy'], `${'ä'.repeat(37)}\n`);
    expect(long).toMatchObject({
      code: 1,
      err: 'The password is longer than 72 bytes, the maximum of bcrypt.\n',
    });
    expect(await runHere(['htpasswd', '-c', file, 'a:b'], 'one\n')).toMatchObject({ code: 1 });
    await expect(content()).rejects.toThrow('ENOENT');
  });
});
