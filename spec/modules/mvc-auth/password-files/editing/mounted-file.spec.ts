import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { CLI, run } from '../../../../factories/processes/processes';
import { withPrograms } from '../../../../factories/processes/programs';

const { describe, it } = withPrograms('unshare');

describe('a password file on a file system that is mounted read-only', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(path.join(tmpdir(), 'mounted-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const addUser = async (prepare: string): Promise<string> => {
    const script = `mount -t tmpfs tmpfs "$1" && cd "$1" && ${prepare} && mount -o remount,ro "$1" && cd / || exit 9
      echo "secret of ann" | "$2" "$3" htpasswd "$1/users" ann 2>&1`;
    const words = [folder, process.execPath, CLI];
    const { output } = await run('unshare', ['-rm', 'sh', '-c', script, 'sh', ...words]);
    return output;
  };

  it('that a Secret of Kubernetes contains is changed there, or copied', async () => {
    const volume =
      'mkdir ..2026_11_30_21_27_15.12 && ln -s ..2026* ..data && touch ..data/users && ln -s ..data/users users';
    expect(await addUser(volume)).toContain(
      `${folder}/users is mounted read-only, from a Secret or ConfigMap of Kubernetes. Change it there, or configure a copy in a folder that the service can write.\n`,
    );
  });

  it.each([
    'touch users',
    // Not a volume of Kubernetes.
    'mkdir ..old && touch ..old/users && ln -s ..old/users users',
  ])('of another kind is changed where it is mounted from (%s)', async (prepare) => {
    expect(await addUser(prepare)).toContain(
      `${folder}/users is on a read-only file system. Change it where it is mounted from, or mount it writable.\n`,
    );
  });
});
