import { rmSync } from 'node:fs';

export default function teardown(): void {
  if (process.env.SPEC_PROGRAMS !== undefined)
    rmSync(process.env.SPEC_PROGRAMS, { recursive: true, force: true });
}
