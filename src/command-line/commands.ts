import type { Command } from 'commander';
import type * as Auth from '../modules/mvc-auth';
import type * as Adapter from './adapter-command';
import type * as Backup from './backup/command';
import type * as Client from './client/command';
import type * as Config from './config/command';
import type * as Database from './db-command';
import type * as Dev from './dev/command';
import type * as Docs from './docs/command';
import type * as Import from './import/command';
import type * as Init from './init/command';
import type * as Inspect from './inspect/command';
import type * as Nodes from './nodes/command';
import type * as PublishFile from './nodes/publish-file';
import type * as Revision from './revision-command';
import type * as Selector from './selector-command';
import type * as Service from './service-command';
import type * as User from './user-command';

const load = require;

/** Commands that are loaded together, when one of them is called or listed. */
export interface CommandGroup {
  readonly names: readonly string[];
  readonly register: (program: Command) => void;
}

const io = { stdin: process.stdin, stdout: process.stdout, stderr: process.stderr };
const environment = process.env;
const projectIo = { ...io, environment };
const fileIo = {
  ...io,
  publisherOf: (file: string) =>
    (load('./nodes/publish-file') as typeof PublishFile).publisherOf(file, environment),
};

const auth = (): typeof Auth => load('../modules/mvc-auth') as typeof Auth;

/** All commands besides `serve`, in the order of the help text. */
export const commandGroups: readonly CommandGroup[] = [
  { names: ['htdigest'], register: (program) => auth().registerHtdigest(program, fileIo) },
  { names: ['htpasswd'], register: (program) => auth().registerHtpasswd(program, fileIo) },
  { names: ['key'], register: (program) => auth().registerKey(program, fileIo) },
  {
    names: ['user'],
    register: (program) =>
      (load('./user-command') as typeof User).registerUser(program, { ...fileIo, environment }),
  },
  {
    names: ['init'],
    register: (program) => (load('./init/command') as typeof Init).registerInit(program, projectIo),
  },
  {
    names: ['dev'],
    register: (program) => (load('./dev/command') as typeof Dev).registerDev(program, projectIo),
  },
  {
    names: ['check', 'routes', 'listeners'],
    register: (program) => (load('./inspect/command') as typeof Inspect).registerInspect(program, projectIo),
  },
  {
    names: ['config'],
    register: (program) => (load('./config/command') as typeof Config).registerConfig(program, projectIo),
  },
  {
    names: ['docs'],
    register: (program) => (load('./docs/command') as typeof Docs).registerDocs(program, projectIo),
  },
  {
    names: ['import'],
    register: (program) => (load('./import/command') as typeof Import).registerImport(program, projectIo),
  },
  {
    names: ['client'],
    register: (program) => (load('./client/command') as typeof Client).registerClient(program, projectIo),
  },
  {
    names: ['adapter'],
    register: (program) => (load('./adapter-command') as typeof Adapter).registerAdapter(program, projectIo),
  },
  {
    names: ['selector'],
    register: (program) =>
      (load('./selector-command') as typeof Selector).registerSelector(program, projectIo),
  },
  {
    names: ['revision'],
    register: (program) =>
      (load('./revision-command') as typeof Revision).registerRevision(program, projectIo),
  },
  {
    names: ['db'],
    register: (program) => (load('./db-command') as typeof Database).registerDatabase(program, projectIo),
  },
  {
    names: ['service'],
    register: (program) => (load('./service-command') as typeof Service).registerService(program, projectIo),
  },
  {
    names: ['backup', 'restore'],
    register: (program) => (load('./backup/command') as typeof Backup).registerBackup(program, projectIo),
  },
  {
    names: ['nodes', 'upgrade'],
    register: (program) => (load('./nodes/command') as typeof Nodes).registerNodes(program, projectIo),
  },
];

/**
 * Returns the commands that a command line needs: those of the called one, none for `serve` and the version, and all
 * for help and errors.
 * @param words without the program
 */
export function commandGroupsFor([first]: readonly string[]): readonly CommandGroup[] {
  if (first === 'serve' || first === '--version') return [];
  const called = commandGroups.find(({ names }) => first !== undefined && names.includes(first));
  return called === undefined ? commandGroups : [called];
}
