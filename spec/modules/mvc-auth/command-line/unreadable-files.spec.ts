import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runHere } from './command-run';

describe('a password file that cannot be read', () => {
  let folder: string;
  let file: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mvc-auth-unreadable-'));
    file = join(folder, 'users');
    await symlink(file, file);
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it.each([[[]], [['-D']], [['-v']]])(
    'is named with the reason by htdigest and htpasswd %j',
    async (options) => {
      for (const [command, realm] of [['htdigest', ['api']] as const, ['htpasswd', []] as const]) {
        expect(await runHere([command, ...options, folder, ...realm, 'amy'], 'one\n')).toMatchObject({
          code: 1,
          err: `${folder} is a folder. Give the path of a file.\n`,
        });
        expect(await runHere([command, ...options, file, ...realm, 'amy'], 'one\n')).toMatchObject({
          code: 1,
          err: `${file} cannot be read (ELOOP). Make it readable for this user.\n`,
        });
      }
    },
  );

  it.each([[['list']], [['create', '--owner', 'x']], [['revoke', 'apidesc_a']]])(
    'is named with the reason by key %j',
    async ([command = '', ...words]) => {
      expect(await runHere(['key', command, folder, ...words])).toMatchObject({
        code: 1,
        out: '',
        err: `${folder} is a folder. Give the path of a file.\n`,
      });
    },
  );
});
