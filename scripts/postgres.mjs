// A PostgreSQL server of its own on a free port, with new data, for benchmarks and reliability tests.
import { spawn, spawnSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePorts } from './ports.mjs';

/** Debian keeps the programs of each version apart. */
const DEBIAN = '/usr/lib/postgresql';

const SETTINGS = { listen_addresses: '127.0.0.1', unix_socket_directories: '', max_connections: 50 };

/** The folder of its programs; undefined if it is not installed. */
export function postgresFolder() {
  const versions = existsSync(DEBIAN) ? readdirSync(DEBIAN).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(DEBIAN, version, 'bin')),
    ...(process.env.PATH ?? '').split(path.delimiter),
  ];
  return folders.find((folder) =>
    ['postgres', 'initdb'].every((name) => existsSync(path.join(folder, name))),
  );
}

/**
 * Starts a server.
 * @param {Record<string, string>} [settings] of postgresql.conf
 * @returns {Promise<{ url: string, pid: number, stop: () => Promise<void> }>}
 */
export async function startPostgres(settings = {}) {
  const programs = postgresFolder();
  if (programs === undefined) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  const user = unprivilegedUser();
  const folder = mkdtempSync(path.join(tmpdir(), 'postgres-'));
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid);
  const data = path.join(folder, 'data');
  const created = spawnSync(
    path.join(programs, 'initdb'),
    ['-D', data, '--username=admin', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8', '--no-sync'],
    { ...user, encoding: 'utf8' },
  );
  if (created.status !== 0) throw new Error(`initdb failed: ${created.stderr}`);
  const [port] = await freePorts(1);
  const flags = Object.entries({ ...SETTINGS, ...settings, port }).flatMap((one) => ['-c', one.join('=')]);
  const child = spawn(path.join(programs, 'postgres'), ['-D', data, ...flags], {
    ...user,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = () => child.kill('SIGQUIT');
  process.once('exit', kill);
  await ready(child);
  return {
    url: `postgres://admin@127.0.0.1:${port}/postgres`,
    pid: child.pid,
    stop: async () => {
      process.off('exit', kill);
      const ended = once(child, 'exit');
      kill();
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function ready(child) {
  return new Promise((resolve, reject) => {
    let log = '';
    child.stderr.on('data', (chunk) => {
      log += chunk;
      if (log.includes('ready to accept connections')) resolve();
    });
    child.once('exit', () => reject(new Error(`PostgreSQL did not start: ${log}`)));
  });
}

/** PostgreSQL refuses to run as root: then it runs as the user that its package creates. */
function unprivilegedUser() {
  if (process.getuid() !== 0) return {};
  const idOf = (flag) => Number(spawnSync('id', [flag, 'postgres'], { encoding: 'utf8' }).stdout);
  return { uid: idOf('-u'), gid: idOf('-g') };
}
