import path from 'node:path';

/**
 * Returns the path of a file relative to a folder, empty for the folder itself; undefined if the file is outside of it. A name
 * may begin with two dots: Kubernetes mounts files as links to `..data`.
 *
 * @example
 * pathInside('/etc/service', '/etc/service/..data/users'); // '..data/users'
 * pathInside('/etc/service', '/etc/other'); // undefined
 */
export function pathInside(folder: string, file: string): string | undefined {
  const relative = path.relative(folder, file);
  // On Windows, the path to another drive is absolute.
  const isOutside = path.isAbsolute(relative) || relative.split(path.sep)[0] === '..';
  return isOutside ? undefined : relative;
}
