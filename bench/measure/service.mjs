// A server under measurement, pinned to a separate core if the machine allows it.
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { setFlagsFromString } from 'node:v8';
import { TICKS } from './processor.mjs';

const TASKSET = '/usr/bin/taskset';

/** A server that does not stop by then is killed. */
const STOP_TIMEOUT_MS = 10_000;

/** Running servers: they end with this process. */
const running = new Set();
process.on('exit', () => {
  for (const child of running) child.kill('SIGKILL');
});

/** Keeps this process, which generates the load, off the server's core. @param core */
export function stayOn(core) {
  if (!existsSync(TASKSET)) return;
  execFileSync(TASKSET, ['-apc', String(core), String(process.pid)]);
  // Otherwise, scavenges wait until V8's threads get their turn on the same core: all connections stop for milliseconds,
  // which count as latency of the server.
  setFlagsFromString('--no-parallel-scavenge --no-concurrent-array-buffer-sweeping');
}

/**
 * @typedef {object} Service
 * @property {number} port of 127.0.0.1
 * @property {number} pid
 * @property {number} startedAt when its process was started, in milliseconds of `performance.now()`
 * @property {() => number} cpuSeconds CPU time so far, of all its threads
 * @property {() => { now: number, most: number }} memory current and peak memory in mebibytes
 * @property {() => Promise<void>} stop
 */

/**
 * Starts `node ...args` and waits for the URL that it prints.
 * @param {string[]} args
 * @param {{ core: number | undefined, binary: string, environment?: Record<string, string> }} options `core`: undefined
 *   for any; `binary`: of Node
 * @returns {Promise<Service>}
 */
export async function startService(args, { core, binary, environment = {} }) {
  const pinned = core !== undefined && existsSync(TASKSET) ? [TASKSET, '-c', String(core)] : [];
  const [command, ...rest] = [...pinned, binary, ...args];
  const startedAt = performance.now();
  const child = spawn(command, rest, {
    env: { ...process.env, NODE_ENV: 'production', PORT: '0', OPERATIONS_LISTEN: 'off', ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  let output = '';
  const port = await new Promise((resolve, reject) => {
    child.stdout.on('data', (part) => {
      output += part;
      const found = /http:\/\/[^/\s]+:(\d+)/.exec(output)?.[1];
      if (found !== undefined) resolve(Number(found));
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${args.join(' ')} ended before it listened. ${output}`)));
  });
  return {
    port,
    pid: child.pid,
    startedAt,
    cpuSeconds: () => cpuSecondsOf(child.pid),
    memory: () => memoryOf(child.pid),
    stop() {
      if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      const deadline = setTimeout(() => child.kill('SIGKILL'), STOP_TIMEOUT_MS);
      return ended.finally(() => clearTimeout(deadline));
    },
  };
}

/** Fields 14 and 15, after the name in brackets: user and system time in ticks (proc(5)). */
function cpuSecondsOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS;
}

/** VmRSS and VmHWM (proc(5)). */
function memoryOf(pid) {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mebibytes = (name) => Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
  return { now: mebibytes('VmRSS'), most: mebibytes('VmHWM') };
}
