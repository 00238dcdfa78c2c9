import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { registerBackup } from '../../../src/command-line/backup/command';
import { runWords, type CommandResult } from '../../factories/processes/command';

/** Runs `backup` or `restore`. */
export const platform = (...words: readonly string[]): Promise<CommandResult> =>
  runWords([registerBackup], words, { USER: 'ann' });

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
