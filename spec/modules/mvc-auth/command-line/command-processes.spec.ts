import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { digestSecret } from '../../../../src/modules/mvc-auth/http/digest/digest-algorithm';
import { CLI, run, runOnTerminal, type ProcessResult } from '../../../factories/processes/processes';
import { withPrograms } from '../../../factories/processes/programs';

describe('the commands as processes', () => {
  const { it: withTerminal } = withPrograms('script');
  const { it: withHtpasswd } = withPrograms('htpasswd');
  const { it: withHtdigest } = withPrograms('htdigest', 'script');
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mvc-auth-files-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const platform = (args: readonly string[], input?: string): Promise<ProcessResult> =>
    run(process.execPath, [CLI, ...args], input);
  const onTerminal = (args: string, dialogue: Parameters<typeof runOnTerminal>[1]): Promise<ProcessResult> =>
    runOnTerminal(`${process.execPath} ${CLI} ${args}`, dialogue);

  withTerminal(
    'asks twice on the terminal without showing the password, and creates a private file',
    async () => {
      const file = join(folder, 'htdigest');
      const ended = await onTerminal(`htdigest -c ${file} api Mufasa`, [
        ['New password: ', 'Circle of Lifex\u007f\r'],
        ['Re-type new password: ', 'Circle of Life\r'],
      ]);
      expect(ended.code).toBe(0);
      expect(ended.output).toContain('Added the password of user "Mufasa" in realm "api".');
      expect(ended.output).not.toContain('Circle');
      expect(await readFile(file, 'utf8')).toBe(
        `Mufasa:api:${digestSecret('MD5', 'Mufasa', 'api', 'Circle of Life')}\n` +
          `Mufasa:api:${digestSecret('SHA-256', 'Mufasa', 'api', 'Circle of Life')}\n`,
      );
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      expect(await readdir(folder)).toEqual(['htdigest']);
    },
  );

  withTerminal('asks before it leaves other users without an algorithm, and shows the answer', async () => {
    const file = join(folder, 'htdigest');
    const before = `Simba:api:${digestSecret('MD5', 'Simba', 'api', 'Circle')}\n`;
    await writeFile(file, before);
    const command = `htdigest -a SHA-256 ${file} api Nala`;
    const refused = await onTerminal(command, [['Continue anyway? [y/N] ', 'n\r']]);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain('Continue anyway? [y/N] n');
    expect(refused.output).toContain('Nothing was changed.');
    expect(await readFile(file, 'utf8')).toBe(before);
    const done = await onTerminal(command, [
      ['Continue anyway? [y/N] ', 'y\r'],
      ['New password: ', 'night\r'],
      ['Re-type new password: ', 'night\r'],
    ]);
    expect(done.code).toBe(0);
    expect(done.output).not.toContain('night');
    expect(await readFile(file, 'utf8')).toBe(
      `${before}Nala:api:${digestSecret('SHA-256', 'Nala', 'api', 'night')}\n`,
    );
  });

  withTerminal('takes what is typed ahead of the second question, and shows none of it', async () => {
    const file = join(folder, 'htpasswd');
    const ended = await onTerminal(`htpasswd -c -C 4 ${file} Nala`, [
      ['New password: ', 'tönight\rtönight\r'],
    ]);
    expect(ended.code).toBe(0);
    expect(ended.output).not.toContain('night');
    expect(await platform(['htpasswd', '-v', file, 'Nala'], 'tönight\n')).toMatchObject({ code: 0 });
  });

  withTerminal('ends with 1 and changes nothing when the two passwords differ', async () => {
    const file = join(folder, 'htdigest');
    const ended = await onTerminal(`htdigest -c ${file} api Mufasa`, [
      ['New password: ', 'one\r'],
      ['Re-type new password: ', 'two\r'],
    ]);
    expect(ended.code).toBe(1);
    expect(ended.output).toContain('The passwords do not match.');
    expect(await readdir(folder)).toEqual([]);
  });

  withTerminal('ends with 130 and changes nothing at Ctrl-C', async () => {
    const ended = await onTerminal(`htdigest -c ${join(folder, 'htdigest')} api Mufasa`, [
      ['New password: ', 'half a pass\u0003'],
    ]);
    expect(ended.code).toBe(130);
    expect(await readdir(folder)).toEqual([]);
  });

  it('read the password from the first line of standard input in scripts', async () => {
    const file = join(folder, 'htdigest');
    expect(await platform(['htdigest', '-c', '-i', file, 'api', 'Mufasa'], 'secret\r\nrest\n')).toMatchObject(
      {
        code: 0,
      },
    );
    expect(await platform(['htdigest', '-v', file, 'api', 'Mufasa'], 'secret')).toMatchObject({ code: 0 });
    expect(await platform(['htdigest', '-v', file, 'api', 'Mufasa'], 'wrong')).toMatchObject({ code: 3 });
    expect(await platform(['htdigest', file, 'api', 'Mufasa'], '')).toMatchObject({ code: 1 });
    expect(await platform(['htdigest', file, 'api'], 'secret')).toMatchObject({ code: 1 });
  });

  it('lose no user when many processes write at the same time', async () => {
    const file = join(folder, 'htdigest');
    await writeFile(file, '# users\n');
    const names = Array.from({ length: 8 }, (_, index) => `user${index}`);
    const ended = await Promise.all(
      names.map((name) => platform(['htdigest', file, 'api', name], 'secret\n')),
    );
    expect(ended.map(({ code }) => code)).toEqual(names.map(() => 0));
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n').slice(1);
    // One line for MD5 and one for SHA-256.
    expect(lines.map((line) => line.split(':')[0]).sort()).toEqual(names.flatMap((name) => [name, name]));
    expect(await readdir(folder)).toEqual(['htdigest']);
  });

  withHtpasswd(
    "writes what Apache's htpasswd verifies, and verifies what Apache's htpasswd writes",
    async () => {
      const file = join(folder, 'htpasswd');
      expect((await platform(['htpasswd', '-c', '-C', '5', file, 'Aladdin'], 'open sesame\n')).code).toBe(0);
      expect((await run('htpasswd', ['-vb', file, 'Aladdin', 'open sesame'])).code).toBe(0);
      expect((await run('htpasswd', ['-vb', file, 'Aladdin', 'open barley'])).code).toBe(3);
      for (const kind of ['-B', '-m', '-s', '-2', '-5']) {
        expect((await run('htpasswd', ['-b', kind, file, 'Jasmine', 'käse'])).code).toBe(0);
        expect((await platform(['htpasswd', '-v', file, 'Jasmine'], 'käse\n')).code).toBe(0);
        expect((await platform(['htpasswd', '-v', file, 'Jasmine'], 'kase\n')).code).toBe(3);
      }
    },
  );

  withHtdigest("writes the line that Apache's htdigest writes", async () => {
    const [ours, theirs] = [join(folder, 'ours'), join(folder, 'theirs')];
    await runOnTerminal(`htdigest -c ${theirs} "the realm" Mufasa`, [
      ['ew password', 'Circle of Life\r'],
      ['new password', 'Circle of Life\r'],
    ]);
    await platform(['htdigest', '-c', '-a', 'MD5', ours, 'the realm', 'Mufasa'], 'Circle of Life\n');
    expect(await readFile(ours, 'utf8')).toBe(await readFile(theirs, 'utf8'));
  });
});
