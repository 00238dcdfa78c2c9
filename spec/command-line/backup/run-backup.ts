import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { registerBackup } from '../../../src/command-line/backup/command';
import { runWords, type CommandResult } from '../../factories/processes/command';
import { CLI, run, type ProcessResult } from '../../factories/processes/processes';

/** Runs `backup` or `restore`. */
export const platform = (...words: readonly string[]): Promise<CommandResult> =>
  runWords([registerBackup], words, { USER: 'ann' });

/** Any user without privileges. */
export const USER = 65_534;

/** Runs a command of the tool without the privileges of root, who may write to all folders. */
export const runAsUser = (...words: readonly string[]): Promise<ProcessResult> =>
  run(process.execPath, [
    '-e',
    `if (process.getuid() === 0) { process.setgroups([]); process.setgid(${USER}); process.setuid(${USER}); }
     process.argv.splice(1, 0, ${JSON.stringify(CLI)});
     require(${JSON.stringify(CLI)});`,
    '--',
    ...words,
  ]);

/** The content and modes below `config/` and `data/`, without what `isExcluded` names. */
export function contentOf(
  root: string,
  isExcluded: (name: string) => boolean = () => false,
): Record<string, string> {
  const content: Record<string, string> = {};
  for (const folder of ['config', 'data'])
    for (const entry of readdirSync(path.join(root, folder), { withFileTypes: true, recursive: true })) {
      const file = path.join(entry.parentPath, entry.name);
      const name = path.relative(root, file);
      if (isExcluded(name)) continue;
      const mode = (lstatSync(file).mode & 0o777).toString(8);
      content[name] = entry.isFile() ? `${mode} ${readFileSync(file, 'base64')}` : mode;
    }
  return content;
}
