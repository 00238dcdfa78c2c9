import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readDigestTable } from '../../src/modules/mvc-auth/password-files/digest-table';
import { readPasswordTable } from '../../src/modules/mvc-auth/password-files/password-table';
import { runHere } from '../modules/mvc-auth/command-line/command-run';
import { write, writeOne, type Tool } from './writers';

const REALM = 'api';

/** How many commands are killed, half of them of each kind; configurable in the environment, e.g. a thousand. */
const KILLS = Number(process.env.KILLS ?? 20);

/** The time limit of a test in milliseconds. */
const TIMEOUT_MS = 20_000 + KILLS * 1000;

/** The time in milliseconds in which a process that only writes has written a few times. */
const WRITING = 60;

const TOOLS: readonly Tool[] = [
  { command: 'htdigest', options: [], realm: [REALM] },
  { command: 'htpasswd', options: ['-C', '4'], realm: [] },
];

const INITIAL_USERS = ['amy', 'bob', 'cyd', 'dan'];

/** Spreads evenly over 0 to 1 for any number of kills: the multiples of the golden ratio. */
const spread = (index: number): number => (index * 0.618_033_988_749_895) % 1;

/** All users of a file. @throws Error when a line can't be parsed, or occurs twice */
function usersOf(tool: Tool, text: string): readonly string[] {
  const { users, issues: problems } =
    tool.command === 'htdigest' ? readDigestTable(text, REALM) : readPasswordTable(text);
  expect(problems).toEqual([]);
  expect(text.endsWith('\n')).toBe(true);
  return [...users.keys()];
}

describe.each(TOOLS)('apidesc-platform $command', (tool) => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'under-fire-'));
    file = path.join(folder, 'users');
    expect(await writeOne({ ...tool, options: ['-c', ...tool.options] }, file, 'amy')).toMatchObject({
      code: 0,
    });
    expect(await write(tool, file, INITIAL_USERS)).toMatchObject({ written: INITIAL_USERS, code: 0 });
  });
  afterEach(() => rm(folder, { recursive: true }));

  const expectAll = async (names: Iterable<string>): Promise<void> => {
    expect(usersOf(tool, await readFile(file, 'utf8'))).toEqual(expect.arrayContaining([...names]));
  };

  it(
    'loses no user when it is killed at any moment, and works again immediately',
    async () => {
      const begin = Date.now();
      await writeOne(tool, file, 'amy');
      const duration = Date.now() - begin;
      const known = new Set(INITIAL_USERS);
      for (let kill = 0; kill < KILLS / 4; kill += 1) {
        // The real command spends its time on startup: the process killed next does nothing but write.
        const names = [
          ...INITIAL_USERS,
          `one${kill}`,
          ...INITIAL_USERS,
          `two${kill}`,
          ...INITIAL_USERS,
          ...INITIAL_USERS,
        ];
        const ends = [
          await writeOne(tool, file, `user${kill}`, { after: spread(kill) * duration }),
          await write(tool, file, names, { line: 'ready', after: spread(kill) * WRITING }),
        ];
        expect(ends.map(({ errors }) => errors)).toEqual(['', '']);
        const next = await runHere([tool.command, ...tool.options, file, ...tool.realm, 'amy'], 'secret\n');
        expect(next).toMatchObject({ code: 0, err: '' });
        for (const name of ends.flatMap(({ written }) => written)) known.add(name);
        await expectAll(known);
      }
      for (const entry of await readdir(folder, { withFileTypes: true })) {
        // A process killed while it acquired the lock may leave an empty folder for a minute.
        if (entry.isFile()) expect((await stat(path.join(folder, entry.name))).mode & 0o777).toBe(0o600);
      }
    },
    TIMEOUT_MS,
  );

  it('loses no user when eight write concurrently, and two of them are killed', async () => {
    const groups = Array.from({ length: 8 }, (_, writer) =>
      Array.from({ length: 5 }, (_, index) => `user${writer}-${index}`),
    );
    const ends = await Promise.all(
      groups.map((names, writer) =>
        write(tool, file, names, writer < 2 ? { line: names[1] ?? '', after: 5 } : undefined),
      ),
    );
    expect(ends.slice(2).map(({ code, errors }) => ({ code, errors }))).toEqual(
      Array.from({ length: 6 }, () => ({ code: 0, errors: '' })),
    );
    await expectAll([...INITIAL_USERS, ...groups.slice(2).flat(), ...ends.flatMap(({ written }) => written)]);
  });
});
