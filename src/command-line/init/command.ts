import { Option, type Command } from 'commander';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import {
  createFile,
  createFolders,
  FileError,
  listNames,
  removeEmptyFolders,
  systemErrorCode,
  withFileErrors,
  errorMessage,
} from '../../framework';
import { runCommand } from '../run-command';
import type { CommandContext } from '../command-context';
import { UsageError } from '../usage-error';
import { askChoices, DATABASE_ANSWERS, type Choices, type OpenChoices, type TerminalIo } from './ask-choices';
import { packageName, platformDependency } from './package-specifier';
import { projectFiles } from './project-files';

const PACKAGE = path.join(__dirname, '../../..');

/** The number of names that a message lists. */
const MAX_NAMES = 5;

interface Options {
  readonly typescript?: true;
  readonly javascript?: true;
  readonly database?: OpenChoices['database'];
  readonly platformPackage?: string;
}

/** Registers `init [FOLDER]`, which creates a project. Nothing is written if the folder or an option is invalid. */
export function registerInit(program: Command, io: CommandContext & TerminalIo): void {
  program
    .command('init')
    .description('create a project with one service and its tests; prompts for missing options on a terminal')
    .argument('[folder]', 'a new or empty folder, whose name is that of the package (default: .)')
    .addOption(new Option('--typescript', 'write it in TypeScript (default)').conflicts('javascript'))
    .addOption(new Option('--javascript', 'write it in JavaScript').conflicts('typescript'))
    .addOption(
      new Option('--database <kind>', 'keep its data in a database (default: none, in memory)').choices(
        DATABASE_ANSWERS,
      ),
    )
    .option(
      '--platform-package <spec>',
      'the platform on which it depends: a version, a tarball or a folder (default: this version)',
    )
    .action((folder: string | undefined, { typescript, javascript, database, platformPackage }: Options) =>
      runCommand(io, async () => {
        // Before the questions: what is wrong with the folder does not depend on the answers.
        if (folder !== undefined) assertUsable(path.resolve(folder));
        const language = javascript === true ? 'javascript' : typescript === true ? 'typescript' : undefined;
        const choices = await askChoices({ folder, language, database }, io, (typed) =>
          assertUsable(path.resolve(typed)),
        );
        await createProject(choices, platformPackage, io);
      }),
    );
}

/** @throws UsageError for an unusable folder @throws FileError */
async function createProject(
  { folder, language, database }: Choices,
  platformPackage: string | undefined,
  { stdout }: CommandContext,
): Promise<void> {
  const root = path.resolve(folder);
  assertUsable(root);
  const { version, devDependencies } = JSON.parse(
    readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'),
  ) as { readonly version: string; readonly devDependencies: Readonly<Record<string, string>> };
  const platform =
    platformPackage === undefined ? `^${version}` : platformDependency(platformPackage, process.cwd(), root);
  const files = projectFiles(
    { name: packageName(root), language, database, platform },
    devDependencies,
    (name) => readFileSync(path.join(PACKAGE, 'templates/project', name), 'utf8'),
  );
  await writeFiles(root, files);
  const commands = [
    ...(root === process.cwd() ? [] : [`cd ${path.relative('.', root)}`]),
    'npm install',
    ...(database === 'postgres' ? ['docker compose up --detach --wait'] : []),
    'npm run dev',
  ];
  stdout.write(
    `Created ${root}:\n${[...files.keys()].map((name) => `  ${name}\n`).join('')}\nNext:\n${commands.map((one) => `  ${one}\n`).join('')}`,
  );
}

/** Writes all files, or none: what remained would be in the way of the next attempt. @throws FileError */
async function writeFiles(root: string, files: ReadonlyMap<string, string>): Promise<void> {
  const top = existing(root);
  const created: string[] = [];
  for (const [name, text] of files) {
    const file = path.join(root, name);
    try {
      await withFileErrors(file, async () => {
        createFolders(path.dirname(file));
        // The folder was empty: a file that appears meanwhile is not overwritten.
        createFile(file, text);
        return Promise.resolve();
      });
      created.push(file);
    } catch (error) {
      // Of the last one, an incomplete file remains, as on a full disk, unless it was there.
      const isOther = error instanceof FileError && error.code === 'EEXIST';
      for (const one of isOther ? created : [...created, file]) rmSync(one, { force: true });
      for (const one of [...created, file]) removeEmptyFolders(path.dirname(one), top);
      throw error;
    }
  }
}

function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(path.dirname(folder));
}

/** @throws UsageError for a folder that is not empty, and a name that npm does not accept */
function assertUsable(root: string): void {
  packageName(root);
  let names: readonly string[];
  try {
    // The clone of a new repository has nothing else.
    names = readdirSync(root)
      .filter((name) => name !== '.git')
      .sort();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return;
    if (systemErrorCode(error) === 'ENOTDIR')
      throw new UsageError(`${root} is a file, or inside one. Choose another folder.`);
    throw new UsageError(`${root} cannot be read: ${errorMessage(error)}`);
  }
  if (names.length === 0) return;
  throw new UsageError(
    `${root} is not empty: it contains ${listNames(names, MAX_NAMES)}. Choose a new or an empty folder.`,
  );
}
