import path from 'node:path';

const ENDINGS = ['.htpasswd', '.htdigest', '.passwd', '.passwords', '.digest', '.users', '.txt'];

/**
 * Why a file of the project is none that passwords are written into, as the end of a sentence; undefined where it
 * may be. A line of a password file is text that somebody chose: in a script, a template or a configuration file
 * it would be more than a name.
 *
 * @param file from the project's root, with `/`
 */
export function refusalToWrite(file: string): string | undefined {
  const folders = file.split('/').slice(0, -1);
  if (folders.some((folder) => folder.startsWith('.') || folder === 'node_modules')) {
    return 'is in a folder of tools. Choose another folder, such as data';
  }
  const ending = path.posix.extname(file).toLowerCase();
  if (ending === '' || ENDINGS.includes(ending)) return undefined;
  return `ends in ${ending}, as files of another kind do. Let it end in ${ENDINGS.slice(0, -1).join(', ')} or ${ENDINGS.at(-1) ?? ''}`;
}

/** Whether the passwords of a file are published with the platform. */
export function isSample(file: string): boolean {
  return path.posix.basename(file).startsWith('sample.');
}
