import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import {
  errorCode,
  removeFile,
  replaceFile,
  StartError,
  type Application,
  type ConfigTree,
} from '../framework';
import { importOpenapi } from '../modules/documentation-import';
import { Catalogue, HOSTING_KEY, isBasePath } from '../modules/hosting';
import type { ConfigIo } from './config-command';
import { counted } from './counted';
import { shownLosses } from './import-report';
import { withPlaces } from './import-routes';
import { hostOf } from './open-project';

const NAME = /^[A-Za-z][A-Za-z0-9_.]*$/;
const VERSION = /^[1-9]\d*$/;

/** Files that configuration is read from, beside `global.json` and `local.json`. */
const LAYER = /\.(global|local)\.json$/;

interface Target {
  readonly root: string;
  readonly api: string;
  readonly version: string;
  /** The file that is written. */
  readonly target: string;
  /** The path before all of its own; undefined for none. */
  readonly basePath: string | undefined;
  /** The file that tells of all losses; undefined for none. */
  readonly report: string | undefined;
  readonly force: boolean;
}

/**
 * Imports an OpenAPI document into a project's configuration, and tells what of it was lost. The file stands only
 * where the project can be started with it.
 * @throws StartError for a document that cannot be taken, an API that is there, and a file that is in the way
 * @throws FileError when the file cannot be written
 */
export async function importDocument(file: string, to: Target, io: ConfigIo): Promise<void> {
  assertNames(to);
  assertReport(file, to);
  const imported = importOpenapi({ text: await textOf(file), name: file }, Number(to.version));
  const isReplaced = await isThere(to.target);
  const router = await assertFree(to, isReplaced, io);
  const base = to.basePath === undefined ? {} : { base_path: to.basePath };
  const { api, services, operations, ...placed } = withPlaces(
    to.api,
    { ...imported.api, ...base },
    to.version,
    router,
    isReplaced,
  );
  const losses = [...imported.losses, ...placed.losses];
  const layer = isLayer(to);
  const before = isReplaced ? await bytesOf(to.target) : undefined;
  await replaceFile(to.target, textFor(to, api), { mode: 0o644 });
  if (layer) await assertStarts(to, io, before);
  if (to.report !== undefined) {
    const lines = losses.map((line) => `${line}\n`).join('');
    await replaceFile(to.report, lines, { mode: 0o644 }).catch(async (error: unknown) => {
      await putBack(to.target, before);
      throw error;
    });
  }
  io.stdout.write(
    `Wrote ${to.target}: ${to.api}-v${to.version}, ${counted(services, 'service')}, ${counted(operations, 'operation')}. Each answers 501 until its "handler" names one.\n`,
  );
  if (!layer) {
    io.stdout.write(
      'No configuration is read from there: name the file config/autoload/<name>.global.json.\n',
    );
  }
  io.stdout.write(shownLosses(losses, to.report));
}

function assertNames({ api, version, basePath }: Target): void {
  if (!NAME.test(api)) {
    throw new StartError(
      `The API name "${api}" must begin with a letter and hold only letters, digits, "_" and ".".`,
    );
  }
  if (!VERSION.test(version)) {
    throw new StartError(`The version "${version}" must be a whole number from 1.`);
  }
  if (basePath !== undefined && !isBasePath(basePath)) {
    throw new StartError(
      `The base path "${basePath}" must be such as "/shop": without a parameter and without a slash at its end.`,
    );
  }
}

/** @throws StartError for a report that would take the place of another file of the import */
function assertReport(file: string, { report, target }: Target): void {
  if (report !== undefined && [file, target].includes(report))
    throw new StartError(
      `--report ${report} is a file that the import has another use for. Name another file.`,
    );
}

async function textOf(file: string): Promise<string> {
  const bytes = await bytesOf(file);
  if (!isUtf8(bytes)) {
    throw new StartError(
      `${file} is no text in UTF-8. Name a document in JSON or YAML; if it is one, save it in UTF-8.`,
    );
  }
  return bytes.toString();
}

async function bytesOf(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    throw new StartError(`${file} cannot be read: ${errorCode(error)}. Name a file that is there.`, {
      cause: error,
    });
  }
}

/**
 * @returns the routes of the project; undefined where it cannot be started with the file that is to be replaced
 * @throws StartError where a file or the version of the API is there already
 */
async function assertFree(
  { root, api, version, target, report, force }: Target,
  isReplaced: boolean,
  io: ConfigIo,
): Promise<Application['router'] | undefined> {
  if (isReplaced && !force)
    throw new StartError(`${target} is there already: --force replaces it, --out names another.`);
  if (report !== undefined && !force && (await isThere(report)))
    throw new StartError(`${report} is there already: --force replaces it, --report names another.`);
  const host = hostOf(root, io);
  try {
    const application = await (isReplaced ? host.build().catch(() => undefined) : host.build());
    if (application === undefined) return undefined;
    const { apis } = await application.services.get(Catalogue);
    const versions = apis.find(({ name }) => name === api)?.versions.map((one) => one.version) ?? [];
    await application.dispose();
    if (!isReplaced && versions.includes(Number(version))) {
      throw new StartError(
        `There is an API ${api} with the versions ${versions.join(', ')}: --version names another.`,
      );
    }
    return application.router;
  } finally {
    await host.close();
  }
}

async function isThere(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

function isLayer({ root, target }: Target): boolean {
  return path.dirname(target) === path.join(root, 'config', 'autoload') && LAYER.test(target);
}

function textFor({ api, target, root }: Target, tree: ConfigTree): string {
  const schema = path
    .relative(path.dirname(target), path.join(root, 'config', 'schema.json'))
    .split(path.sep)
    .join('/');
  return `${JSON.stringify({ $schema: schema, [HOSTING_KEY]: { apis: { [api]: tree } } }, null, 2)}\n`;
}

/** Puts back what was there where the project cannot be started with what was written. */
async function assertStarts(
  { root, target }: Target,
  io: ConfigIo,
  before: Uint8Array | undefined,
): Promise<void> {
  const host = hostOf(root, io);
  try {
    await (await host.build()).dispose();
  } catch (error) {
    await putBack(target, before);
    if (!(error instanceof StartError)) throw error;
    throw new StartError(
      `Nothing was written, as the project could not be started with it:\n${error.message}`,
      {
        cause: error,
      },
    );
  } finally {
    await host.close();
  }
}

/** @param before what was there; undefined for nothing */
async function putBack(target: string, before: Uint8Array | undefined): Promise<void> {
  await (before === undefined ? removeFile(target) : replaceFile(target, before));
}
