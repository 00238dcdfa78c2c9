import { mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startTestPlatform } from '../../../factories/platform';

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

  it('may be missing where it can be created, which the start does not do', async () => {
    expect(await warningsFor(path.join(parent, 'a/b'))).toEqual([]);
    expect(readdirSync(parent)).toEqual([]);
  });
});
