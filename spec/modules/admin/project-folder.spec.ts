import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPlatform } from '../../../src/start';
import { folderWarnings } from '../../../src/modules/admin/project-folder';
import { WITH_ADMIN } from '../../factories/admin/admin';
import { makeProject, MemoryLog } from '../../factories/platform';

/** Nobody can write a folder whose name is a link to itself: permissions would not restrict a test that runs as root. */
function block(root: string, folder: string): void {
  rmSync(path.join(root, folder), { recursive: true, force: true });
  symlinkSync(path.basename(folder), path.join(root, folder));
}

describe('The folders that the admin writes', () => {
  it('are named at the start if they cannot be written, with the user and what to do', async () => {
    const root = makeProject({ modules: WITH_ADMIN.filter((name) => name !== 'atlas') });
    block(root, 'data');
    const platform = await startPlatform({ root, listen: false, log: new MemoryLog() });
    try {
      expect(platform.application.warnings).toContainEqual(
        expect.stringMatching(
          /^data\/ cannot be written: its symbolic links form a loop\. Fix them\. Changes by administrators .* are not recorded\. The process runs as (".+"|uid \d+)/,
        ),
      );
    } finally {
      await platform.stop();
      rmSync(root, { recursive: true, force: true });
    }
  });

  it('may be missing where they can be created', async () => {
    const root = mkdtempSync(path.join(tmpdir(), 'folders-'));
    try {
      expect(await folderWarnings(root)).toEqual([]);
      mkdirSync(path.join(root, 'config'));
      block(root, 'config/autoload');
      expect(await folderWarnings(root)).toEqual([
        expect.stringMatching(
          /^config\/autoload\/ cannot be written: .* Administrators cannot change the configuration\./,
        ),
      ]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
});
