import { rmSync } from 'node:fs';

/** Removes the temporary folder of the run, which `global-setup.ts` has created. */
export default function teardown(): void {
  const { TMPDIR: folder, SPEC_PROGRAMS: programs } = process.env;
  if (folder === undefined || programs?.startsWith(folder) !== true) return;
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
}
