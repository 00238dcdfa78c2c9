import { rmSync } from 'node:fs';

/** Removes the temporary folder of the run, which `global-setup.ts` has created, and restores the environment. */
export default function teardown(): void {
  const { TMPDIR: folder, SPEC_FORMER_TMPDIR: former, SPEC_PATH } = process.env;
  // Without it, the setup has failed before it created the folder.
  if (folder === undefined || former === undefined) return;
  if (former === '') delete process.env.TMPDIR;
  else process.env.TMPDIR = former;
  delete process.env.SPEC_FORMER_TMPDIR;
  if (SPEC_PATH !== undefined) process.env.PATH = SPEC_PATH;
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  } catch (error) {
    // A process that is still ending may write there. The results of the run stand.
    console.warn(`The temporary folder of the run was not removed: ${String(error)}`);
  }
}
