// Plants stale locks, as processes that were killed leave them behind.
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

const LONG_AGO = 1;
const TOKEN = '00000000-0000-4000-8000-000000000000';
/** Larger than any process id on Linux. */
const NO_PROCESS = 2 ** 22 + 1;

const system = () =>
  `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()} ${readlinkSync('/proc/self/ns/pid')}`;

function plant(lock, owner, seen) {
  const folder = path.join(lock, TOKEN);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'draft'), '');
  if (owner === undefined) return;
  const file = path.join(folder, 'owner');
  writeFileSync(file, JSON.stringify({ host: 'somewhere', start: '1', ...owner }));
  if (seen !== undefined) utimesSync(file, seen, seen);
}

const KINDS = {
  'a process that ended': (lock) => plant(lock, { pid: NO_PROCESS, system: system() }),
  'a process whose number another has': (lock) => plant(lock, { pid: process.pid, system: system() }),
  'another machine': (lock) => plant(lock, { pid: 1, system: 'elsewhere' }, LONG_AGO),
  'a release that was cut short': (lock) => plant(lock),
  'an earlier version': (lock) => {
    writeFileSync(lock, `${NO_PROCESS} somewhere 1 x\n`);
    utimesSync(lock, LONG_AGO, LONG_AGO);
  },
};

export const kindsOfStaleLocks = Object.keys(KINDS);

/** @returns false if a killed process already left a lock */
export function plantStaleLock(file, kind) {
  const lock = `${file}.lock`;
  if (existsSync(lock)) return false;
  KINDS[kind](lock);
  return true;
}

/** Ages the lock, so that its owner seems to have stalled. */
export function ageLock(file) {
  const lock = `${file}.lock`;
  try {
    for (const token of readdirSync(lock)) utimesSync(path.join(lock, token, 'owner'), LONG_AGO, LONG_AGO);
    return true;
  } catch {
    // The lock was released, or is being acquired.
    return false;
  }
}
