import { readFileSync } from 'node:fs';
import Module from 'node:module';
import path from 'node:path';

const manifest = readFileSync(path.join(__dirname, '..', 'package.json'), 'utf8');

/** Returns the version of the platform. */
export function packageVersion(): string {
  return /"version": "([^"]+)"/.exec(manifest)?.[1] ?? 'unknown';
}

/**
 * Exits with a message if Node is older than `engines` in package.json requires. Import this file before any other,
 * because an older Node fails to load those.
 */
function checkNodeVersion(): void {
  const [, major = '0', minor = '0'] = /"node": ">=(\d+)\.(\d+)"/.exec(manifest) ?? [];
  const [ownMajor = 0, ownMinor = 0] = process.versions.node.split('.').map(Number);
  if (ownMajor > Number(major) || (ownMajor === Number(major) && ownMinor >= Number(minor))) return;
  process.stderr.write(
    `This is Node ${process.versions.node}; the platform needs Node ${major}.${minor} or later.\n`,
  );
  process.exit(1);
}

/**
 * Keeps compiled code of packages in the folder for temporary files, so that the next start is faster. Node 20 cannot. The
 * environment variable NODE_DISABLE_COMPILE_CACHE prevents it. The platform keeps its own: see `loading/own-modules.ts`.
 */
function enableCompileCache(): void {
  const { enableCompileCache: enable } = Module as { readonly enableCompileCache?: () => unknown };
  enable?.();
}

checkNodeVersion();
enableCompileCache();
