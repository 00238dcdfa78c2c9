// A server under measurement: pinned to a core of its own where the machine allows it.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** Clock ticks a second in /proc (`getconf CLK_TCK`): 100 on every Linux that Node runs on. */
const TICKS = 100;

const TASKSET = '/usr/bin/taskset';

/** Keeps this process, which makes the load, off the core of the server. @param core */
export function stayOn(core) {
  if (existsSync(TASKSET)) execFileSync(TASKSET, ['-apc', String(core), String(process.pid)]);
}

/**
 * Starts `node ...args` and waits for the address that it prints.
 * @param {string[]} args
 * @param {number} core
 */
export async function startService(args, core) {
  const pinned = existsSync(TASKSET) ? [TASKSET, '-c', String(core)] : [];
  const [command, ...rest] = [...pinned, process.execPath, ...args];
  const child = spawn(command, rest, {
    env: { ...process.env, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const port = await new Promise((resolve, reject) => {
    child.stdout.on('data', (part) => {
      output += part;
      const found = /http:\/\/[^/\s]+:(\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.on('exit', () => reject(new Error(`The service ended: ${output}`)));
  });
  return {
    port,
    pid: child.pid,
    /** Seconds of processor time so far, of all its threads. */
    cpuSeconds() {
      // Fields 14 and 15 behind the name in brackets: user and system time in ticks (proc(5)).
      const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      return (Number(fields[11]) + Number(fields[12])) / TICKS;
    },
    stop() {
      child.removeAllListeners('exit');
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      return ended;
    },
  };
}
