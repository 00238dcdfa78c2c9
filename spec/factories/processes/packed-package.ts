import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../repository';

/** How long a suite waits for another one that packs, in milliseconds: the other one may have been killed. */
const PATIENCE = 60_000;
const POLL = 100;

/** The package as npm publishes it. */
export interface PackedPackage {
  readonly tarball: string;
  /** The paths of its files. */
  readonly files: readonly string[];
}

interface NpmReport {
  readonly filename: string;
  readonly files: readonly { readonly path: string }[];
}

/**
 * Packs the package, once for all suites of a run of Jest, which have one temporary folder: npm needs seconds, and the build does
 * not change.
 */
export function packedPackage(): PackedPackage {
  const folder = path.join(tmpdir(), 'packed-package');
  for (let waited = 0; waited < PATIENCE; waited += POLL) {
    if (existsSync(reportOf(folder)))
      return JSON.parse(readFileSync(reportOf(folder), 'utf8')) as PackedPackage;
    if (claims(folder)) return packInto(folder);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL);
  }
  return packInto(mkdtempSync(`${folder}-`));
}

const reportOf = (folder: string): string => path.join(folder, 'report.json');

/** Whether this suite is the one that packs. */
function claims(folder: string): boolean {
  try {
    mkdirSync(folder);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

function packInto(folder: string): PackedPackage {
  try {
    const output = execFileSync(
      'npm',
      ['pack', ROOT, '--json', '--ignore-scripts', '--pack-destination', folder],
      {
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
      },
    );
    const [{ filename, files }] = JSON.parse(output) as [NpmReport];
    const packed = { tarball: path.join(folder, filename), files: files.map((file) => file.path) };
    // Whoever waits reads a complete report.
    writeFileSync(`${reportOf(folder)}~`, JSON.stringify(packed));
    renameSync(`${reportOf(folder)}~`, reportOf(folder));
    return packed;
  } catch (error) {
    rmSync(folder, { recursive: true });
    throw error;
  }
}
