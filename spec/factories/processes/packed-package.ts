import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { ROOT } from '../repository';

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
 * Packs the package, unless a suite of this run of Jest has: all have one temporary folder, npm needs seconds, and the
 * build does not change. Suites at the same time may each pack it.
 */
export function packedPackage(): PackedPackage {
  const packed = path.join(tmpdir(), 'packed-package.json');
  if (!existsSync(packed)) pack(packed);
  return JSON.parse(readFileSync(packed, 'utf8')) as PackedPackage;
}

/** @param packed gets the paths of the tarball and its files */
function pack(packed: string): void {
  const folder = mkdtempSync(path.join(tmpdir(), 'packed-package-'));
  const words = ['pack', ROOT, '--json', '--ignore-scripts', '--pack-destination', folder];
  const output = execFileSync('npm', words, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ filename, files }] = JSON.parse(output) as [NpmReport];
  const result = { tarball: path.join(folder, filename), files: files.map((file) => file.path) };
  const complete = path.join(folder, 'packed.json');
  writeFileSync(complete, JSON.stringify(result));
  renameSync(complete, packed);
}
