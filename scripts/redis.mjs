// A Redis server of its own on a free port, which keeps nothing on disk, for benchmarks and reliability tests.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { freePorts } from './ports.mjs';

const READY = 'Ready to accept connections';

/** Whether the program is installed. */
export function hasRedis(program = 'redis-server') {
  return spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Starts a server.
 * @param {readonly string[]} [more] further arguments, such as `['--requirepass', 'secret']`
 * @param {{ program?: string, port?: number }} [options] defaults to `redis-server`, and a free port
 * @returns {Promise<{ url: string, port: number, pid: number, stop: () => Promise<void> }>}
 */
export async function startRedis(more = [], { program = 'redis-server', port } = {}) {
  if (!hasRedis(program)) throw new Error('Redis is not installed: apt-get install redis-server');
  const [listening] = port === undefined ? await freePorts(1) : [port];
  const args = ['--port', `${listening}`, '--bind', '127.0.0.1', '--dir', tmpdir(), '--save', '', ...more];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  const ended = once(child, 'exit').finally(() => process.off('exit', kill));
  let log = '';
  await new Promise((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      log += chunk;
      if (log.includes(READY)) resolve();
    });
    void ended.then(() => reject(new Error(`Redis did not start:\n${log}`)), reject);
  });
  const stop = async () => {
    kill();
    await ended;
  };
  return { url: `redis://127.0.0.1:${listening}`, port: listening, pid: child.pid, stop };
}
