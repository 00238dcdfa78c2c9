// A Redis server of its own on a free port, which keeps nothing on disk, for benchmarks and reliability tests.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';

const READY = 'Ready to accept connections';

/** Whether the program is installed. */
export function hasRedis() {
  return spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status === 0;
}

/**
 * Starts a server.
 * @param {readonly string[]} [more] further arguments, such as `['--requirepass', 'secret']`
 * @returns {Promise<{ url: string, port: number, pid: number, stop: () => Promise<void> }>}
 */
export async function startRedis(more = []) {
  if (!hasRedis()) throw new Error('Redis is not installed: apt-get install redis-server');
  const port = await freePort();
  const args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', tmpdir(), '--save', '', ...more];
  const child = spawn('redis-server', args, { stdio: ['ignore', 'pipe', 'inherit'] });
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
  return { url: `redis://127.0.0.1:${port}`, port, pid: child.pid, stop };
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}
