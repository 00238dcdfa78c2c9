import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { crc32 } from 'node:zlib';

/**
 * The file that keeps compiled modules: in the folder of `NODE_COMPILE_CACHE`, or in one for temporary files. Undefined with
 * `NODE_DISABLE_COMPILE_CACHE`.
 *
 * @param modules the folder of the modules, of which a machine may have several
 */
export function codeCacheFile(modules: string, use: string): string | undefined {
  const { NODE_DISABLE_COMPILE_CACHE: disabled, NODE_COMPILE_CACHE: folder } = process.env;
  if (disabled !== undefined && disabled !== '') return undefined;
  const user = process.getuid?.() ?? 'user';
  const installation = crc32(modules + versionOf(modules))
    .toString(16)
    .padStart(8, '0');
  return path.join(
    folder === undefined || folder === '' ? tmpdir() : path.resolve(folder),
    `apidesc-platform-${user}`,
    `${use}-${process.version}-${process.arch}-${installation}.bin`,
  );
}

/** Reproducible images give the files of all versions the same times of modification. */
function versionOf(modules: string): string {
  try {
    const manifest: unknown = JSON.parse(readFileSync(path.join(modules, '..', 'package.json'), 'utf8'));
    return String(Reflect.get(Object(manifest) as object, 'version'));
  } catch {
    return '';
  }
}
