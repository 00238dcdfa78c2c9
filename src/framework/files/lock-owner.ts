import { readFile, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { systemErrorCode } from '../errors/system-error-code';
import { isObject, parseJson } from '../values/config-object';

/** A process that holds or waits for a lock. */
export interface LockOwner {
  readonly pid: number;
  /** For messages. */
  readonly host: string;
  /** The scope of `pid`: the boot id of the kernel, and the PID namespace. */
  readonly system: string;
  /** The start time of the process in system ticks; empty if unknown. */
  readonly start: string;
}

/** Describes this process. */
export async function currentOwner(): Promise<LockOwner> {
  const host = hostname();
  try {
    const boot = (await readFile('/proc/sys/kernel/random/boot_id', 'utf8')).trim();
    const system = `${boot} ${await readlink('/proc/self/ns/pid')}`;
    const { start } = parseStat(await readFile('/proc/self/stat', 'utf8'));
    return { pid: process.pid, host, system, start };
  } catch {
    // Not Linux.
    return { pid: process.pid, host, system: host, start: '' };
  }
}

export function formatOwner(owner: LockOwner): string {
  return `${JSON.stringify(owner)}\n`;
}

/** @returns undefined if the text is malformed */
export function parseOwner(text: string): LockOwner | undefined {
  const value = parseJson(text);
  if (!isObject(value)) return undefined;
  const { pid, host, system, start } = value;
  const isOwner =
    typeof pid === 'number' &&
    Number.isSafeInteger(pid) &&
    pid > 0 &&
    typeof host === 'string' &&
    typeof system === 'string' &&
    typeof start === 'string';
  return isOwner ? { pid, host, system, start } : undefined;
}

/** Returns whether a process has certainly ended; false for processes of another system, which cannot be checked. */
export async function hasEnded(owner: LockOwner, self: LockOwner): Promise<boolean> {
  if (owner.system !== self.system) return false;
  if (!exists(owner.pid)) return true;
  if (owner.start === '') return false;
  try {
    const { state, start } = parseStat(await readFile(`/proc/${owner.pid}/stat`, 'utf8'));
    // The PID was reused, or the process is a zombie.
    return start !== owner.start || state === 'Z' || state === 'X';
  } catch {
    // It has just ended, or /proc hides it.
    return false;
  }
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemErrorCode(error) === 'EPERM';
  }
}

/** Parses /proc/PID/stat (proc_pid_stat(5)): the second field ends at the last parenthesis. */
function parseStat(text: string): { readonly state: string; readonly start: string } {
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return { state: fields[0] ?? '', start: fields[19] ?? '' };
}
