import path from 'node:path';

const ENDINGS = ['.htpasswd', '.htdigest', '.passwd', '.passwords', '.digest', '.users', '.txt'];

/**
 * Returns why passwords must not be written to a file, as the end of a sentence; undefined if allowed. Password file
 * entries contain text chosen by users, which would be executable in a script, a template or a configuration file.
 *
 * @param file relative to the project root, with `/`
 * @param isUsed by an adapter: then a file extension is not required
 */
export function refusalToWrite(file: string, isUsed = false): string | undefined {
  const folders = file.split('/').slice(0, -1);
  if (folders.some((folder) => folder.startsWith('.') || folder === 'node_modules')) {
    return 'is in a tool folder. Choose another folder, such as data';
  }
  const ending = path.posix.extname(file).toLowerCase();
  if (ENDINGS.includes(ending) || (ending === '' && isUsed)) return undefined;
  const found =
    ending === ''
      ? 'has no file extension'
      : `has the extension ${ending}, which is not a password file extension`;
  return `${found}. Use ${ENDINGS.slice(0, -1).join(', ')} or ${ENDINGS.at(-1) ?? ''}`;
}

/** Whether the passwords of a file are published with the platform. */
export function isSample(file: string): boolean {
  return path.posix.basename(file).startsWith('sample.');
}
