import { chmodSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestPlatform } from '../../../factories/platform';
import { CLI, run } from '../../../factories/processes/processes';

const FRAMEWORK = path.join(path.dirname(CLI), 'framework');

describe('the folder of uploaded files', () => {
  let parent: string;
  beforeEach(() => (parent = mkdtempSync(path.join(tmpdir(), 'upload-folder-'))));
  afterEach(() => rmSync(parent, { recursive: true }));

  const warningsFor = async (folder: string): Promise<readonly string[]> => {
    const local = { 'platform-content-negotiation': { uploads: { folder } } };
    const platform = await startTestPlatform({ local });
    const { warnings } = platform.application;
    await platform.stop();
    return warnings.filter((text) => text.includes('uploads.folder'));
  };

  it('is named at the start if it cannot be written, with the user and what to do', async () => {
    // Permissions would not restrict a test that runs as root.
    symlinkSync('loop', path.join(parent, 'loop'));
    writeFileSync(path.join(parent, 'file'), '');
    expect(await warningsFor(path.join(parent, 'loop'))).toEqual([
      expect.stringMatching(
        /^platform-content-negotiation\.uploads\.folder: .+loop cannot be written: its symbolic links form a loop\. Fix them\. Forms with files are refused with 507\. The process runs as (".+"|uid \d+)/,
      ),
    ]);
    expect(await warningsFor(path.join(parent, 'file'))).toEqual([
      expect.stringContaining('file cannot be written: a file has the name of one of its folders.'),
    ]);
  });

  it.each(['link', 'link/below'])('is named if it cannot be created because of a link (%s)', async (name) => {
    symlinkSync('missing', path.join(parent, 'link'));
    expect(await warningsFor(path.join(parent, name))).toEqual([
      expect.stringContaining(`${name} cannot be written: its folder is missing. Create it.`),
    ]);
  });

  it('is named if its user can write it, but not search it', async () => {
    const script = `
      process.chdir(process.argv[1]);
      if (process.getuid() === 0) { process.setgroups([]); process.setgid(65534); process.setuid(65534); }
      require('node:fs').mkdirSync('write-only', 0o200);
      require(process.argv[2]).folderWarning('write-only', 'It', 'No.').then(console.log);`;
    chmodSync(parent, 0o777);
    const { output } = await run(process.execPath, ['-e', script, parent, FRAMEWORK]);
    expect(output).toMatch(/^It cannot be written: the user of this process has no permission for it/);
  });

  it('may be missing where it can be created, which the start does not do', async () => {
    expect(await warningsFor(path.join(parent, 'a/b'))).toEqual([]);
    expect(readdirSync(parent)).toEqual([]);
  });
});
