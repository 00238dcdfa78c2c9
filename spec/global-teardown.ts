import { rmSync } from 'node:fs';

export default function teardown(): void {
  const { SPEC_PROGRAMS: folder } = process.env;
  if (folder === undefined) return;
  for (const one of [folder, `${folder}-postgres`]) rmSync(one, { recursive: true, force: true });
}
