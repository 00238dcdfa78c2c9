import path from 'node:path';

/** Folders in the root whose files the server does not run. */
const IGNORED_FOLDERS: readonly string[] = ['data', 'coverage', 'docs'];

const LOCAL = path.join('config', 'autoload', 'local.json');

const TEST = /\.(?:test|spec)\.[cm]?[jt]sx?$/;
const DECLARATION = /\.d\.[cm]?ts$/;

/** What a change of a file requires: a restart, a reload of the configuration, the compiler, or nothing. */
export type FileRole = 'runs' | 'reloads' | 'source' | undefined;

/** Whether a folder is watched. @param folder relative to the root of the project */
export function isWatched(folder: string): boolean {
  const segments = folder.split(path.sep);
  return (
    !IGNORED_FOLDERS.includes(segments[0] ?? '') &&
    !segments.some((one) => one.startsWith('.') || one === 'node_modules')
  );
}

/**
 * Returns the role of a file: of scripts and JSON files, of everything below `templates`, and of TypeScript. Hidden
 * files, and those that editors write for themselves, have none.
 * @param file relative to the root of the project
 */
export function roleOf(file: string): FileRole {
  const segments = file.split(path.sep);
  const [top = ''] = segments;
  const name = segments.at(-1) ?? '';
  if (name.startsWith('.') || (segments.length > 1 && !isWatched(path.dirname(file)))) return undefined;
  if (TEST.test(name) || DECLARATION.test(name) || /~$|^#|\.(?:tmp|lock)$/.test(name)) return undefined;
  // Administrators write this file, and continue with what they were doing.
  if (file === LOCAL) return 'reloads';
  if (/\.[cm]?tsx?$/.test(name)) return 'source';
  // npm writes these in the root.
  if (segments.length === 1 && /^(?:package(?:-lock)?|tsconfig.*)\.json$/.test(name)) return undefined;
  return top === 'templates' || /\.(?:[cm]?js|json|njk|html|sql)$/.test(name) ? 'runs' : undefined;
}
