import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import programs from '../programs.json';

/**
 * Hides external programs: a suite that uses one without declaring it fails everywhere, and not only where the program
 * is missing. `withPrograms` makes them available again.
 */
export default function setup(): void {
  // What suites leave in the temporary folder ends with the run. As /tmp: some programs run as other users.
  // Each run of `jest --watch` calls this function again.
  const former = process.env.TMPDIR ?? '';
  process.env.TMPDIR = mkdtempSync(path.join(tmpdir(), 'spec-'));
  process.env.SPEC_FORMER_TMPDIR = former;
  chmodSync(process.env.TMPDIR, 0o1777);
  const folder = mkdtempSync(path.join(tmpdir(), 'spec-programs-'));
  const names = Object.entries(programs).flatMap(([name, one]) =>
    'commands' in one ? one.commands : [name],
  );
  for (const name of names) {
    const message = `${name} is not declared. Declare it in the spec: withPrograms('${name}'); see spec/factories/processes/programs.ts.`;
    writeFileSync(path.join(folder, name), `#!/bin/sh\necho "${message}" >&2\nexit 127\n`, { mode: 0o755 });
  }
  // Inherited by the workers.
  // Servers of several workers would use the same port.
  process.env.OPERATIONS_LISTEN = 'off';
  process.env.SPEC_PROGRAMS = folder;
  process.env.SPEC_PATH = process.env.PATH ?? '';
  process.env.PATH = `${folder}${path.delimiter}${process.env.SPEC_PATH}`;
}
