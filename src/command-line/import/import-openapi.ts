import { isUtf8 } from 'node:buffer';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import {
  makeFolder,
  objectOf,
  parseJson,
  pluralize,
  systemErrorCode,
  removeFile,
  replaceFile,
  resolveLink,
  withFileErrors,
  ConfigurationError,
  type ConfigObject,
  type FileContent,
} from '../../framework';
import { importOpenapi } from '../../modules/documentation-import';
import { HOSTING_KEY } from '../../modules/hosting';
import type { CommandContext } from '../command-context';
import { hostOf } from '../open-project';
import { UsageError } from '../usage-error';
import { assertNotExisting, assertTarget, isLayer, type ImportTarget } from './import-target';
import { omitConflicts } from './omit-conflicts';

/** The console shows this many kinds of losses; a report lists them all, with all locations. */
const MAX_LINES = 50;

/** Characters of a report that are written at once. */
const CHUNK_LENGTH = 64 * 1024;

/**
 * Imports an OpenAPI document into a project's configuration, and reports losses. The file is kept only if the project
 * starts with it.
 * @throws ConfigurationError for a document that cannot be imported, and a project that does not start
 * @throws UsageError for invalid options, an existing API, an existing file, and a document without services
 * @throws FileError when the file cannot be written
 */
export async function importDocument(file: string, to: ImportTarget, io: CommandContext): Promise<void> {
  assertTarget(file, to);
  const text = await textOf(file);
  const isReplaced = existsSync(to.target);
  const earlier = isReplaced ? await serviceNamesOf(to) : new Map<string, string>();
  const imported = importOpenapi({ text, name: file }, Number(to.version), earlier);
  const router = await assertNotExisting(to, isReplaced, io);
  const base = to.basePath === undefined ? {} : { base_path: to.basePath };
  const { api, services, operations, ...placed } = omitConflicts(
    to.api,
    { ...imported.api, ...base },
    to.version,
    router,
    isReplaced,
  );
  const losses = [...imported.warnings, ...placed.losses];
  const report = function* (): Generator<string> {
    yield* imported.report();
    for (const loss of placed.losses) yield `${loss}\n`;
  };
  if (services === 0) {
    await writeReport(to, report);
    io.stdout.write(formatLosses(losses, to.report));
    throw new UsageError(`${file} has no operation that can be imported: the API was not written.`);
  }
  const layer = isLayer(to);
  const before = isReplaced ? await bytesOf(to.target) : undefined;
  // A new project may have no configuration yet.
  if (layer) await withFileErrors(to.target, () => makeFolder(path.dirname(to.target)));
  await write(to.target, textFor(to, api));
  if (layer) await assertApplicationBuilds(to, io, before);
  await writeReport(to, report).catch(async (error: unknown) => {
    await restore(to.target, before);
    throw error;
  });
  io.stdout.write(
    `Wrote ${to.target}: ${to.api}-v${to.version}, ${pluralize(services, 'service')}, ${pluralize(operations, 'operation')}. Each responds 501 until its "handler" names one.\n`,
  );
  if (!layer) {
    io.stdout.write(
      'This file is not read as configuration: move it to config/autoload/<name>.global.json.\n',
    );
  }
  io.stdout.write(formatLosses(losses, to.report));
}

async function textOf(file: string): Promise<string> {
  const bytes = await bytesOf(file);
  if (!isUtf8(bytes)) {
    throw new UsageError(`${file} is not UTF-8 text. Pass a JSON or YAML document that is saved as UTF-8.`);
  }
  return bytes.toString();
}

/** Returns the names of the services in the file to be replaced, by route: other files refer to them. */
async function serviceNamesOf({ target, api, version }: ImportTarget): Promise<ReadonlyMap<string, string>> {
  // A replaced file may be invalid.
  const content = parseJson((await bytesOf(target)).toString());
  const { apis } = objectOf(objectOf(content)[HOSTING_KEY]);
  const { services } = objectOf(objectOf(objectOf(objectOf(apis)[api]).versions)[version]);
  return new Map(
    Object.entries(objectOf(services)).flatMap(([name, service]): [string, string][] => {
      const { route } = objectOf(service);
      return typeof route === 'string' ? [[route, name]] : [];
    }),
  );
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new UsageError(
      `${file} cannot be read: ${systemErrorCode(error)}. Pass an existing, readable file.`,
      {
        cause: error,
      },
    );
  }
}

function textFor({ api, target, root }: ImportTarget, tree: ConfigObject): string {
  const schema = path
    .relative(path.dirname(target), path.join(root, 'config', 'schema.json'))
    .split(path.sep)
    .join('/');
  return `${JSON.stringify({ $schema: schema, [HOSTING_KEY]: { apis: { [api]: tree } } }, null, 2)}\n`;
}

/** Restores the previous file if the project does not start with the new one. */
async function assertApplicationBuilds(
  { root, target }: ImportTarget,
  io: CommandContext,
  before: Uint8Array | undefined,
): Promise<void> {
  const host = hostOf(root, io);
  try {
    await (await host.build()).dispose();
  } catch (error) {
    await restore(target, before);
    if (!(error instanceof ConfigurationError)) throw error;
    throw new ConfigurationError(
      `Nothing was written, because the project would not start:\n${error.message}`,
      {
        cause: error,
      },
    );
  } finally {
    await host.close();
  }
}

async function writeReport({ report }: ImportTarget, parts: () => Iterable<string>): Promise<void> {
  if (report !== undefined) await write(report, inChunks(parts()));
}

/** Joins short parts, each of which would be written by itself. */
function* inChunks(parts: Iterable<string>): Generator<string> {
  let chunk = '';
  for (const part of parts) {
    chunk += part;
    if (chunk.length < CHUNK_LENGTH) continue;
    yield chunk;
    chunk = '';
  }
  if (chunk !== '') yield chunk;
}

/** @param before the previous content; undefined if there was no file */
async function restore(target: string, before: Uint8Array | undefined): Promise<void> {
  await (before === undefined ? removeFile(await resolveLink(target)) : write(target, before));
}

async function write(file: string, content: FileContent): Promise<void> {
  await replaceFile(await resolveLink(file), content, { mode: 0o644 });
}

/**
 * Formats the losses of an import for the console.
 * @param losses one line per kind
 * @param report the file that lists them all; undefined for none
 */
function formatLosses(losses: readonly string[], report: string | undefined): string {
  if (losses.length === 0) return '';
  const shown = losses.slice(0, MAX_LINES).map((line) => `  ${line}\n`);
  const more = losses.length - shown.length;
  const where = report === undefined ? 'use --report FILE to list them all' : `see ${report}`;
  const rest = more === 0 ? '' : `  … and ${more} more: ${where}\n`;
  return `Not imported:\n${shown.join('')}${rest}`;
}
