import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Application } from '../../framework';
import { API_NAME, Catalogue, isBasePath, parseVersionNumber, VERSION_NUMBERS } from '../../modules/hosting';
import type { CommandContext } from '../command-context';
import { hostOf } from '../open-project';
import { UsageError } from '../usage-error';

/** Configuration files other than `global.json` and `local.json`. */
const LAYER = /\.(global|local)\.json$/;

/** The API that an import creates, and the files that it writes. All paths of files are absolute. */
export interface ImportTarget {
  readonly root: string;
  readonly api: string;
  readonly version: string;
  /** The file that is written. */
  readonly target: string;
  /** The path before all routes of the API; undefined for none. */
  readonly basePath: string | undefined;
  /** The file that lists all losses; undefined for none. */
  readonly report: string | undefined;
  readonly force: boolean;
}

/**
 * @param file the imported document
 * @throws UsageError for an invalid name, version or base path, and a report that would overwrite the document or the target
 */
export function assertTarget(file: string, to: ImportTarget): void {
  assertNames(to);
  assertReport(file, to);
}

function assertNames({ api, version, basePath }: ImportTarget): void {
  if (!API_NAME.test(api)) {
    throw new UsageError(
      `The API name "${api}" must start with a letter and contain only letters, digits, "_" and ".".`,
    );
  }
  if (parseVersionNumber(version) === undefined)
    throw new UsageError(`The version "${version}" must be ${VERSION_NUMBERS}.`);
  if (basePath !== undefined && !isBasePath(basePath)) {
    throw new UsageError(
      `The base path "${basePath}" must be a path such as "/shop", without parameters and without a trailing slash.`,
    );
  }
}

function assertReport(file: string, { report, target }: ImportTarget): void {
  if (report !== undefined && [file, target].includes(report))
    throw new UsageError(
      `--report ${report} is the imported document or the target file. Choose another file.`,
    );
}

/**
 * @returns the routes of the project; undefined if it does not start with the file to be replaced
 * @throws UsageError if a file or the version of the API already exists
 */
export async function assertNotExisting(
  { root, api, version, target, report, force }: ImportTarget,
  isReplaced: boolean,
  io: CommandContext,
): Promise<Application['router'] | undefined> {
  if (isReplaced && !force)
    throw new UsageError(
      `${target} already exists. Overwrite it with --force, or choose another file with --out.`,
    );
  if (report !== undefined && !force && existsSync(report))
    throw new UsageError(
      `${report} already exists. Overwrite it with --force, or choose another file with --report.`,
    );
  const host = hostOf(root, io);
  try {
    const application = await (isReplaced ? host.build().catch(() => undefined) : host.build());
    if (application === undefined) return undefined;
    const { apis } = await application.services.get(Catalogue);
    const versions = apis.find(({ name }) => name === api)?.versions.map((one) => one.version) ?? [];
    await application.dispose();
    if (!isReplaced && versions.includes(Number(version))) {
      throw new UsageError(
        `API "${api}" already has version ${version}. Existing versions: ${versions.join(', ')}. Choose another with --version.`,
      );
    }
    return application.router;
  } finally {
    await host.close();
  }
}

/** Whether the project reads the file as configuration. */
export function isLayer({ root, target }: ImportTarget): boolean {
  const { dir, base } = path.parse(target);
  return dir === path.join(root, 'config', 'autoload') && !base.startsWith('.') && LAYER.test(base);
}
