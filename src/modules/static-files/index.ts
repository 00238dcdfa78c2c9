import path from 'node:path';
import {
  didYouMean,
  ConfigurationError,
  formatKeyPath,
  hasPathPrefix,
  isFolder,
  type Application,
  type BootstrapEvent,
  type ConfigObject,
  type KeyPath,
  type Module,
} from '../../framework';
import { Catalogue } from '../hosting';
import { AccessRules, Guards, isStaticFilesKey, MVC_AUTH_KEY, requiresUser, STATIC_FILES } from '../mvc-auth';
import { FolderRoute } from './folder-route';
import { locateFile } from './locate-file';
import { PLATFORM, reservedPaths } from './reserved-paths';
import {
  FILE_FIELDS,
  STATIC_FILES_KEY,
  staticFilesDefaults,
  staticFilesSettings,
  type FolderSettings,
} from './settings';

/** Serves folders of files, such as a front end. The routes of APIs and pages come first. */
export default class StaticFilesModule implements Module {
  readonly name = 'static-files';
  readonly requires = ['mvc-auth', 'hosting'];
  readonly defaults: ConfigObject = staticFilesDefaults;
  readonly schemas = { [STATIC_FILES_KEY]: staticFilesSettings };

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, router, warnings } = application;
    const { folders } = configuration.section(STATIC_FILES_KEY, staticFilesSettings);
    assertRulesMatch(application, Object.keys(folders));
    const { apis } = await services.get(Catalogue);
    const rules = await services.get(AccessRules);
    const guards = await services.get(Guards);
    const served = await Promise.all(
      Object.entries(folders).map(async ([at, settings]) => ({
        at,
        settings,
        folder: await folderOf(application, at, settings),
        access: rules.ofStaticFiles(at),
      })),
    );
    const guarded = served.filter(({ access }) => requiresUser(access)).map(({ folder }) => folder);
    for (const { at, settings, folder, access } of served) {
      const guard = guards.ofStaticFiles(at);
      if (requiresUser(access) && guard === undefined)
        warnings.push(
          `The files at ${at} require a user, but no adapter is mapped to "${STATIC_FILES}": map one in platform-mvc-auth.authentication.map, or they respond 403 to everyone.`,
        );
      const below = at === '/' ? '' : at;
      const reserved = reservedPaths(apis, at);
      router.addBelow(
        `static-files:${at}`,
        below,
        new FolderRoute({
          ...settings,
          path: router.base + below,
          folder,
          access,
          guard,
          guarded,
          isReserved: (requested) => reserved(requested.slice(router.base.length)),
        }),
      );
    }
  }
}

/** Returns the absolute path of a folder. @throws ConfigurationError for a path, a folder or header fields that cannot be served */
async function folderOf(
  { configuration }: Application,
  at: string,
  settings: FolderSettings,
): Promise<string> {
  const key: KeyPath = [STATIC_FILES_KEY, 'folders', at];
  const where = (...below: readonly string[]): string =>
    `${configuration.sourceOf([...key, ...below])}: ${formatKeyPath([...key, ...below])}`;
  if (hasPathPrefix(at, PLATFORM))
    throw new ConfigurationError(
      `${where()}: paths below ${PLATFORM} belong to the documentation and the admin pages. Serve the folder at another path, such as "/" or "/app".`,
    );
  const folder = path.resolve(configuration.root, settings.folder);
  if (!isFolder(folder))
    throw new ConfigurationError(
      `${where('folder')}: the folder ${folder} does not exist, or cannot be read. Build the front end, or correct the path, which is relative to ${configuration.root}.`,
    );
  if (settings.fallback !== undefined && !(await hasFile(folder, settings.fallback)))
    throw new ConfigurationError(
      `${where('fallback')}: the folder ${folder} has no file "${settings.fallback}". Name a file of the folder, such as "index.html".`,
    );
  const name = Object.keys(settings.headers ?? {}).find((each) => FILE_FIELDS.includes(each.toLowerCase()));
  if (name !== undefined)
    throw new ConfigurationError(
      `${where('headers', name)}: ${name} depends on the file and the request, and cannot be set for a folder. Remove it.`,
    );
  return folder;
}

/** Whether requests find a file. */
async function hasFile(folder: string, name: string): Promise<boolean> {
  const found = await locateFile(folder, name.split('/')).catch(() => undefined);
  return found?.stats.isFile() === true;
}

/** @throws ConfigurationError for a rule or a mapping of a path at which no folder is served */
function assertRulesMatch({ configuration }: Application, paths: readonly string[]): void {
  const known = [STATIC_FILES, ...paths.map((at) => STATIC_FILES + at)];
  const places: readonly KeyPath[] = [
    [MVC_AUTH_KEY, 'authorization'],
    [MVC_AUTH_KEY, 'authentication', 'map'],
  ];
  for (const place of places) {
    for (const key of Object.keys(configuration.valueAt(place) ?? {})) {
      if (!isStaticFilesKey(key) || known.includes(key)) continue;
      throw new ConfigurationError(
        `${configuration.sourceOf([...place, key])}: ${formatKeyPath([...place, key])}: no folder is served at "${key.slice(STATIC_FILES.length)}".${didYouMean(key, known)} Available: ${known.join(', ')}.`,
      );
    }
  }
}
