import type { Command } from 'commander';
import path from 'node:path';
import { objectOf, type JsonObject, errorMessage } from '../../framework';
import { readPassword, type CommandIo } from '../../modules/mvc-auth';
import { packageVersion } from '../../node-version';
import { runCommand } from '../run-command';
import type { CommandContext } from '../command-context';
import { UsageError } from '../usage-error';
import { clientText } from './client-text';
import type { Credentials } from './fetch-document';
import { findGenerator, type Generator } from './generator';
import { assertEffective, openDocument } from './open-document';
import { withProblemBodies } from './problem-bodies';
import { assertReplaceable, writeClient } from './write-client';

/** The environment variable with the password of `--user`. */
const PASSWORD = 'APIDESC_PASSWORD';

interface Options {
  readonly output?: string;
  readonly api?: string;
  readonly version?: string;
  readonly user?: string;
  readonly root: string;
}

/** Registers `client [source]`, which writes a typed client. */
export function registerClient(program: Command, io: CommandContext & CommandIo): void {
  program
    .command('client')
    .description('write a typed TypeScript client of an API')
    .argument('[source]', 'the URL of a documentation, or an OpenAPI document (default: the project itself)')
    .option('--output <file>', 'target file (default: standard output)')
    .option('--api <name>', 'the API, if the documentation has several')
    .option('--version <number>', 'the version of the API (default: its default version)')
    .option('--user <name>', `sign in to the documentation, with the password in ${PASSWORD} or entered`)
    .option('--root <folder>', 'the folder that contains config/', '.')
    .action((source: string | undefined, options: Options) =>
      runCommand(io, () => writeClientOf(source, options, io)),
    );
}

/** @throws UsageError @throws ConfigurationError @throws FileError */
async function writeClientOf(
  source: string | undefined,
  { output, api, version, user, root }: Options,
  io: CommandContext & CommandIo,
): Promise<void> {
  const file = output === undefined ? undefined : path.resolve(output);
  // Before the password is read and the document is fetched.
  assertEffective(source, { api, version, user });
  const generate = findGenerator(process.cwd());
  if (file !== undefined) await assertReplaceable(file);
  const credentials = user === undefined ? undefined : await credentialsOf(user, io);
  const choice = { source, api, version, root: path.resolve(root), credentials };
  const { document, label, baseUrl } = await openDocument(choice, io);
  const title = titleOf(document);
  const types = await typesOf(document, label, generate);
  const text = clientText({ platform: packageVersion(), label, title, baseUrl, types });
  if (file === undefined) {
    io.stdout.write(text);
    return;
  }
  const isChanged = await writeClient(file, text);
  io.stdout.write(`${isChanged ? 'Wrote' : 'No changes in'} ${file}: ${title}.\n`);
}

async function credentialsOf(username: string, io: CommandContext & CommandIo): Promise<Credentials> {
  return { username, password: io.environment[PASSWORD] ?? (await readPassword(io, {})) };
}

function titleOf({ info }: JsonObject): string {
  const { title, version } = objectOf(info);
  return `${typeof title === 'string' ? title : 'API'}, version ${typeof version === 'string' ? version : 'unknown'}`;
}

async function typesOf(document: JsonObject, label: string, generate: Generator): Promise<string> {
  try {
    return await generate(withProblemBodies(document));
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(`openapi-typescript cannot convert ${label}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}
