import type { Command } from 'commander';
import path from 'node:path';
import {
  applyModuleMigrations,
  driftRemedy,
  DatabaseError,
  driftOf,
  moduleMigrations,
  Migrations,
  MIGRATIONS_TABLE,
  openDatabase,
  readSnapshot,
  snapshotText,
  writeSnapshot,
  type DatabaseAdapter,
  type DatabaseModel,
} from '../modules/database';
import { loadModules, pluralize, type HostOptions, type Module } from '../framework';
import { builtInModules } from '../modules';
import { runCommand } from './run-command';
import type { CommandContext } from './command-context';
import { hostOf } from './open-project';
import { UsageError } from './usage-error';

interface DatabaseOptions {
  readonly root: string;
  readonly adapter?: string;
  readonly outOfOrder?: boolean;
}

interface OpenDatabase {
  readonly options: DatabaseOptions;
  readonly root: string;
  readonly name: string;
  readonly adapter: DatabaseAdapter;
  readonly migrations: Migrations;
}

/** Registers `db pull`, `db check`, `db migrate`, `db status` and `db new TITLE`. */
export function registerDatabase(program: Command, io: CommandContext): void {
  const db = program.command('db').description('manage the tables of databases');
  const command = (
    name: string,
    description: string,
    work: (database: OpenDatabase, ...args: string[]) => Promise<void>,
    { changesData = false }: Pick<HostOptions, 'changesData'> = {},
  ): Command =>
    db
      .command(name)
      .description(description)
      .option('--root <folder>', 'the folder that contains config/', '.')
      .option('--adapter <name>', 'name of the database; not needed if there is only one')
      .action(async (...actionArguments: unknown[]) => {
        const options = actionArguments.at(-2) as DatabaseOptions;
        const args = actionArguments.filter((one): one is string => typeof one === 'string');
        await runCommand(io, () =>
          withDatabase(options, io, (database) => work(database, ...args), changesData),
        );
      });
  command('pull', 'write the tables of the database to config/db/<adapter>.json', (one) => pull(io, one));
  command('check', 'compare config/db/<adapter>.json with the database', (one) => check(io, one));
  command(
    'migrate',
    'apply the pending files of migrations/<adapter> and the migrations of modules, and pull',
    (one) => migrate(io, one),
    { changesData: true },
  ).option('--out-of-order', 'apply files that come before applied ones, too');
  command('status', 'list the files of migrations/<adapter>, and the migrations of modules', (one) =>
    status(io, one),
  );
  command('new', 'create a file in migrations/<adapter>', async ({ migrations }, title = '') => {
    io.stdout.write(`${path.relative('.', await migrations.create(title))}\n`);
  }).argument('<title>', 'what the migration does, such as "add products"');
}

async function withDatabase(
  options: DatabaseOptions,
  io: CommandContext,
  work: (database: OpenDatabase) => Promise<void>,
  changesData: boolean,
): Promise<void> {
  const root = path.resolve(options.root);
  const host = hostOf(root, io, { changesData });
  const { name, adapter } = openDatabase(await host.configuration(), options.adapter, { changesData });
  try {
    const migrations = new Migrations(path.join(root, 'migrations', name), adapter);
    await work({ options, root, name, adapter, migrations });
  } catch (error) {
    if (!(error instanceof DatabaseError)) throw error;
    throw new UsageError(`The database "${name}" (${adapter.target}): ${error.message}`);
  } finally {
    await adapter.close();
    await host.close();
  }
}

/** The tables that services can use: without the record of migrations. */
async function tablesOf(adapter: DatabaseAdapter): Promise<DatabaseModel> {
  const { tables } = await adapter.introspect({ mayBlock: true });
  return { tables: Object.fromEntries(Object.entries(tables).filter(([name]) => name !== MIGRATIONS_TABLE)) };
}

/** The modules of the project, which have migrations of their own. */
async function modulesOf(root: string): Promise<readonly Module[]> {
  return (await loadModules({ root, builtIn: builtInModules })).map(({ module }) => module);
}

/** @throws UsageError for a database that does not exist: its snapshot would have no tables */
async function pull(
  { stdout, stderr }: CommandContext,
  { root, name, adapter }: OpenDatabase,
): Promise<void> {
  const migrate = `apidesc-platform db migrate --adapter ${name}`;
  if (adapter.isTemporary === true)
    throw new UsageError(`The database "${name}" (${adapter.target}) does not exist. Create it: ${migrate}`);
  const model = await tablesOf(adapter);
  const before = await readSnapshot(root, name).catch(() => undefined);
  const file = path.relative('.', await writeSnapshot(root, name, model));
  const tables = pluralize(Object.keys(model.tables).length, 'table');
  const isSame = before !== undefined && snapshotText(before) === snapshotText(model);
  stdout.write(isSame ? `${file} is up to date (${tables}).\n` : `${file} written (${tables}).\n`);
  const { pending } = await moduleMigrations(await modulesOf(root), name, adapter);
  if (pending.length === 0) return;
  const names = pending.map(({ recordedAs }) => recordedAs).join(', ');
  stderr.write(
    `Warning: the snapshot lacks what pending migrations of modules change: ${names}. Apply them: ${migrate}\n`,
  );
}

/** @throws UsageError for tables that differ, so that the command fails in CI */
async function check(
  { stdout }: CommandContext,
  { root, name, adapter, migrations }: OpenDatabase,
): Promise<void> {
  const snapshot = await readSnapshot(root, name);
  const pullCommand = `apidesc-platform db pull --adapter ${name}`;
  if (snapshot === undefined) throw new UsageError(`There is no snapshot. Write it: ${pullCommand}`);
  const drift = driftOf(snapshot, await tablesOf(adapter));
  for (const { message, severity } of drift)
    stdout.write(`${severity === 'breaking' ? 'Error' : 'Note'}: ${message}.\n`);
  if (drift.some(({ severity }) => severity === 'breaking'))
    throw new UsageError(`The snapshot does not match the database. ${await driftRemedy(migrations, name)}`);
  stdout.write(drift.length === 0 ? 'The snapshot matches the database.\n' : 'Services can run.\n');
}

async function migrate(io: CommandContext, database: OpenDatabase): Promise<void> {
  const { options, root, name, adapter, migrations } = database;
  const files = await migrations.apply(options.outOfOrder);
  for (const file of files) io.stdout.write(`Applied ${file}\n`);
  // The next start would apply them, and the snapshot would lack their tables.
  const modules = await modulesOf(root);
  const { pending } = await moduleMigrations(modules, name, adapter);
  await applyModuleMigrations(modules, name, adapter);
  for (const { recordedAs } of pending) io.stdout.write(`Applied ${recordedAs}  (of a module)\n`);
  if (files.length + pending.length === 0) io.stdout.write('No pending migrations.\n');
  await pull(io, database);
}

async function status(
  { stdout }: CommandContext,
  { root, name: database, adapter, migrations }: OpenDatabase,
): Promise<void> {
  const all = await migrations.status();
  const applied = await migrations.appliedByModules();
  const { pending } = await moduleMigrations(await modulesOf(root), database, adapter);
  for (const { name, state, before } of all) {
    const order = before === undefined ? '' : `  (out of order: before ${before}, which is applied)`;
    stdout.write(`${state.padEnd(8)} ${name}${order}\n`);
  }
  for (const name of applied) stdout.write(`applied  ${name}  (of a module)\n`);
  for (const { recordedAs } of pending)
    stdout.write(`pending  ${recordedAs}  (of a module: applied by the next start)\n`);
  if (all.length + applied.length + pending.length === 0) stdout.write('No migrations.\n');
}
