import { spawn } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { REALM } from '../challenges';
import { executableOf } from '../../factories/processes/programs';
import { freePort } from '../../factories/http/free-port';

/** Where Debian installs the modules. */
const MODULES = '/usr/lib/apache2/modules';
const LOADED = [
  'mpm_prefork',
  'authn_core',
  'authn_file',
  'authz_core',
  'authz_user',
  'auth_basic',
  'auth_digest',
];

/** The longest startup, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** Apache httpd, which guards `/basic/` and `/digest/` with a password file each. */
export interface ApacheHttpd {
  readonly origin: string;
  /** The files, which httpd reads for every request. */
  readonly htpasswd: string;
  readonly htdigest: string;
  stop(): Promise<void>;
}

function configuration(folder: string, port: number): string {
  const area = (name: string, type: string, file: string): string =>
    `<Location "/${name}/">
      AuthType ${type}
      AuthName "${REALM}"
      AuthUserFile "${folder}/${file}"
      Require valid-user
    </Location>`;
  return [
    `ServerRoot "${folder}"`,
    `DocumentRoot "${folder}/www"`,
    `DefaultRuntimeDir "${folder}"`,
    `PidFile "${folder}/pid"`,
    `ErrorLog "${folder}/error.log"`,
    'ServerName 127.0.0.1',
    // One process serves one connection at a time: a client that keeps one open would block the others.
    'KeepAlive Off',
    `Listen 127.0.0.1:${port}`,
    // Read only when root starts it.
    'User www-data',
    'Group www-data',
    ...LOADED.map((name) => `LoadModule ${name}_module ${MODULES}/mod_${name}.so`),
    area('basic', 'Basic', 'htpasswd'),
    area('digest', 'Digest', 'htdigest'),
  ].join('\n');
}

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'apache-'));
  for (const area of ['basic', 'digest']) {
    await mkdir(path.join(folder, 'www', area), { recursive: true });
    await writeFile(path.join(folder, 'www', area, 'secret'), 'what Apache guards');
  }
  // The server reads as a separate user.
  await chmod(folder, 0o755);
  return folder;
}

/** Starts it in the foreground, with a separate folder and configuration. Rejects when it does not start. */
export async function startApache(): Promise<ApacheHttpd> {
  const folder = await makeFolder();
  const port = await freePort();
  const file = path.join(folder, 'httpd.conf');
  await writeFile(file, configuration(folder, port));
  const child = spawn(executableOf('apache2'), ['-X', '-f', file], { stdio: 'ignore' });
  const ended = new Promise<void>((resolve, reject) => {
    child.once('close', () => resolve());
    child.once('error', reject);
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await ended;
    await rm(folder, { recursive: true });
  };
  const origin = `http://127.0.0.1:${port}`;
  const end = Date.now() + TIMEOUT_MS;
  while (!(await answers(origin))) {
    if (child.pid === undefined || child.exitCode !== null || Date.now() > end) {
      const reason = await readFile(path.join(folder, 'error.log'), 'utf8').catch(() => 'it says nothing');
      await stop();
      throw new Error(`Apache does not start: ${reason}`);
    }
    await delay(50);
  }
  return {
    origin,
    htpasswd: path.join(folder, 'htpasswd'),
    htdigest: path.join(folder, 'htdigest'),
    stop,
  };
}

async function answers(origin: string): Promise<boolean> {
  return fetch(origin).then(
    () => true,
    () => false,
  );
}
