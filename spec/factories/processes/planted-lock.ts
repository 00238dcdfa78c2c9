import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export interface PlantedLock {
  readonly pid?: number;
  readonly host?: string;
  readonly system?: string;
  readonly start?: string;
  /** Seconds since the owner's last heartbeat. */
  readonly age?: number;
}

/** The lock of a file; defaults to one that a process of another machine holds. */
export function plantLock(
  file: string,
  { pid = 1, host = 'elsewhere', system = 'another system', start = '1', age = 0 }: PlantedLock = {},
): void {
  const folder = path.join(`${file}.lock`, '00000000-0000-4000-8000-000000000000');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'draft'), '');
  const owner = path.join(folder, 'owner');
  writeFileSync(owner, JSON.stringify({ pid, host, system, start }));
  const seen = new Date(Date.now() - age * 1000);
  utimesSync(owner, seen, seen);
}
