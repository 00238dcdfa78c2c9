import { Command } from 'commander';
import { lstatSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { registerBackup } from '../../../src/command-line/backup/command';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs `backup` or `restore`. */
export async function platform(...words: readonly string[]): Promise<Ran> {
  const program = new Command('platform').exitOverride();
  let [out, err, code] = ['', '', 0];
  registerBackup(program, {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    environment: { USER: 'ann' },
    exit: (status: number) => (code = status),
  });
  await program.parseAsync([...words], { from: 'user' });
  return { code, out, err };
}

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
