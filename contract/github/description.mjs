// GitHub's public description of its API: one file of a package that unpacks to 385 MB, of which only that file is
// kept.
import { createHash } from 'node:crypto';
import {
  createReadStream,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { execFile } from 'node:child_process';
import { pipeline } from 'node:stream/promises';

const run = promisify(execFile);

/** The integrity hash of the registry: another archive with this version is rejected. */
const PACKAGE = '@octokit/openapi@23.0.2';
const INTEGRITY = 'pV8M7L9GY23AybNvTmo2nyjmpmnt6+2sRE/tqr0ZLQcPS4lnw7u5eZGNmwRNkBC3D7gZXbFx5AHzLUVRBXGDhg==';
const FILE = 'package/generated/api.github.com.json';

const CACHE = path.join(import.meta.dirname, '..', 'node_modules', '.cache', 'contract');

/** @returns the file, downloaded if necessary, and its version */
export async function description() {
  const file = path.join(CACHE, `${PACKAGE.replace(/\W+/g, '-')}.json`);
  if (!existsSync(file)) await fetchTo(file);
  return { file, name: PACKAGE, document: JSON.parse(readFileSync(file, 'utf8')) };
}

async function fetchTo(file) {
  mkdirSync(CACHE, { recursive: true });
  const folder = mkdtempSync(path.join(CACHE, 'unpacked-'));
  try {
    const { stdout } = await run('npm', ['pack', PACKAGE, '--silent', '--pack-destination', folder], {
      shell: process.platform === 'win32',
    });
    const archive = path.join(folder, stdout.trim().split('\n').at(-1));
    const hash = createHash('sha512');
    await pipeline(createReadStream(archive), hash);
    if (hash.digest('base64') !== INTEGRITY)
      throw new Error(`${PACKAGE} does not match its pinned integrity hash.`);
    await run('tar', ['-xzf', archive, '-C', folder, FILE]);
    renameSync(path.join(folder, FILE), file);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
