import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLI, run, runOnTerminal } from '../../factories/processes/processes';
import { guard, REALM } from '../challenges';
import { curl } from '../command-line/curl';
import { withPrograms } from '../../factories/processes/programs';

const { describe } = withPrograms('htpasswd', 'htdigest', 'script', 'curl');

const PASSWORD = 'open: käse +1';

describe("files of Apache's tools", () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'apache-files-'));
    file = path.join(folder, 'users');
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('htpasswd, with every hash it supports: its users sign in with Basic', async () => {
    const options = ['-B', '-m', '-s', '-2', '-5'];
    await writeFile(file, '');
    for (const option of options) {
      const ended = await run('htpasswd', ['-b', option, file, `guide${option}`, PASSWORD]);
      expect(ended).toMatchObject({ code: 0 });
    }
    const text = await readFile(file, 'utf8');
    expect(text.match(/(?<=:)(\$\w+\$|\{SHA\})/g)).toEqual(['$2y$', '$apr1$', '{SHA}', '$5$', '$6$']);
    const guarded = await guard('Basic', text);
    const requests = [{ method: 'GET', url: guarded.visits }] as const;
    const statuses: number[] = [];
    for (const option of options) {
      for (const password of [PASSWORD, 'open']) {
        const answers = await curl({ challenge: 'Basic', username: `guide${option}`, password, requests });
        statuses.push(...answers.map(({ status }) => status));
      }
    }
    await guarded.stop();
    expect(statuses).toEqual(options.flatMap(() => [200, 401]));
  });

  it('htdigest: its users sign in with Digest', async () => {
    for (const [username, create] of [
      ['guide', '-c '],
      ['other', ''],
    ] as const) {
      const ended = await runOnTerminal(`htdigest ${create}${file} ${REALM} ${username}`, [
        ['ew password', `${PASSWORD}\r`],
        ['new password', `${PASSWORD}\r`],
      ]);
      expect(ended).toMatchObject({ code: 0 });
    }
    const guarded = await guard('MD5', await readFile(file, 'utf8'));
    const requests = [{ method: 'GET', url: guarded.visits }] as const;
    const statuses: number[] = [];
    for (const [username, password] of [
      ['guide', PASSWORD],
      ['other', PASSWORD],
      ['other', 'open'],
    ] as const) {
      const answers = await curl({ challenge: 'MD5', username, password, requests });
      statuses.push(...answers.map(({ status }) => status));
    }
    await guarded.stop();
    expect(statuses).toEqual([200, 200, 401]);
  });

  it('of one kind are rejected by our command for the other', async () => {
    const ours = (...args: readonly string[]) => run(process.execPath, [CLI, ...args], `${PASSWORD}\n`);
    await run('htpasswd', ['-b', '-c', '-m', file, 'guide', PASSWORD]);
    expect(await ours('htdigest', file, REALM, 'guide')).toMatchObject({ code: 1 });
    await runOnTerminal(`htdigest -c ${file} ${REALM} guide`, [
      ['ew password', `${PASSWORD}\r`],
      ['new password', `${PASSWORD}\r`],
    ]);
    const before = await readFile(file, 'utf8');
    expect(await ours('htpasswd', file, 'guide')).toMatchObject({ code: 1 });
    expect(await readFile(file, 'utf8')).toBe(before);
  });

  it('htpasswd, with DES and plain text: our command says why it does not verify them', async () => {
    for (const [option, what] of [
      ['-d', 'a DES hash (crypt)'],
      ['-p', 'a plain-text password'],
    ] as const) {
      expect(await run('htpasswd', ['-b', '-c', option, file, 'guide', 'explore'])).toMatchObject({
        code: 0,
      });
      const ended = await run(process.execPath, [CLI, 'htpasswd', '-v', file, 'guide'], 'explore\n');
      expect(ended.code).toBe(1);
      expect(ended.output).toContain(what);
    }
  });

  it("htpasswd and our command change one file in turn, and each verifies the other's lines", async () => {
    const ours = (args: readonly string[], password: string) =>
      run(process.execPath, [CLI, 'htpasswd', ...args], `${password}\n`);
    await ours(['-c', '-C', '5', file, 'ours'], PASSWORD);
    await run('htpasswd', ['-b', '-B', file, 'theirs', PASSWORD]);
    await ours(['-C', '5', file, 'theirs'], 'changed');
    await run('htpasswd', ['-b', '-5', file, 'ours', 'changed too']);
    expect(await run('htpasswd', ['-v', '-b', file, 'theirs', 'changed'])).toMatchObject({ code: 0 });
    expect(await run('htpasswd', ['-v', '-b', file, 'theirs', PASSWORD])).toMatchObject({ code: 3 });
    expect(await ours(['-v', file, 'ours'], 'changed too')).toMatchObject({ code: 0 });
    expect(await ours(['-v', file, 'ours'], PASSWORD)).toMatchObject({ code: 3 });
  });
});
