import { problem, type Application, type Configuration, type KeyPath } from '../../../../framework';
import {
  Catalogue,
  collectDefinitions,
  HOSTING_KEY,
  toList,
  type ApiDefinition,
  type HostedApi,
  type HostedVersion,
} from '../../../hosting';

/** One version of an API: as it is hosted, as it is defined, and what code alone says of it. */
export interface DeclaredVersion {
  readonly api: HostedApi;
  readonly hosted: HostedVersion;
  /** With what configuration says. */
  readonly definition: ApiDefinition;
  /** Of a module's code; undefined where configuration alone defines the API. */
  readonly code: { readonly module: string; readonly definition: ApiDefinition } | undefined;
}

/** @throws Problem 404 for an unknown API or version */
export async function declaredVersion(
  { services, modules, configuration }: Application,
  name: string,
  version: number,
): Promise<DeclaredVersion> {
  const catalogue = await services.get(Catalogue);
  const api = catalogue.api(name);
  if (api === undefined) {
    throw problem('name_not_found', { kind: 'API', name, names: catalogue.apis.map((one) => one.name) });
  }
  const hosted = catalogue.version(name, version);
  if (hosted === undefined) {
    const versions = api.versions.map((one) => one.version);
    throw problem('version_not_found', { api: name, version, versions });
  }
  const definition = collectDefinitions(modules, configuration).find((one) => one.name === name);
  if (definition === undefined) throw new TypeError(`The API ${name} is hosted, but not defined.`);
  const declaring = modules.flatMap(({ name: module, apis = [] }) =>
    toList(apis, configuration)
      .filter((one) => one.name === name)
      .map((one) => ({ module, definition: one })),
  );
  return { api, hosted, definition, code: declaring[0] };
}

/** Where the configuration says something of an API, and who says it: a file, or the module whose code counts then. */
export function saidOf(
  configuration: Configuration,
  { api, code }: DeclaredVersion,
  below: readonly string[],
): { readonly path: KeyPath; readonly isConfigured: boolean; readonly source: string } {
  const path = definitionPath(api.name, below);
  const isConfigured = configuration.valueAt(path) !== undefined;
  const source =
    isConfigured || code === undefined ? configuration.sourceOf(path) : `the module "${code.module}"`;
  return { path, isConfigured, source };
}

/** Where the configuration has something of an API's definition. */
export function definitionPath(api: string, below: readonly string[] = []): KeyPath {
  return [HOSTING_KEY, 'apis', api, ...below];
}
