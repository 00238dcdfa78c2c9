import { memberAt, problem, type Application, type Configuration, type KeyPath } from '../../../../framework';
import {
  Catalogue,
  collectDefinitions,
  HOSTING_KEY,
  resolveDeclaredApis,
  type ApiDefinition,
  type HostedApi,
  type HostedVersion,
} from '../../../hosting';

/** A version of an API: hosted, defined, and as declared in code alone. */
export interface DeclaredVersion {
  readonly api: HostedApi;
  readonly hosted: HostedVersion;
  /** Including the configuration. */
  readonly definition: ApiDefinition;
  /** The definition in a module's code; undefined if only the configuration defines the API. */
  readonly code: { readonly module: string; readonly definition: ApiDefinition } | undefined;
}

/** What the APIs of an application are declared as. */
interface Declarations {
  readonly definitions: ReadonlyMap<string, ApiDefinition>;
  /** By API: the module that declares it in code. */
  readonly code: ReadonlyMap<string, NonNullable<DeclaredVersion['code']>>;
}

/** An application does not change: its declarations are merged once. */
const known = new WeakMap<Application, Declarations>();

/** @throws Problem 404 for an unknown API or version */
export async function declaredVersion(
  application: Application,
  name: string,
  version: number,
): Promise<DeclaredVersion> {
  const catalogue = await application.services.get(Catalogue);
  const api = catalogue.api(name);
  if (api === undefined) {
    throw problem('name_not_found', { kind: 'API', name, names: catalogue.apis.map((one) => one.name) });
  }
  const hosted = catalogue.version(name, version);
  if (hosted === undefined) {
    const versions = api.versions.map((one) => one.version);
    throw problem('version_not_found', { api: name, version, versions });
  }
  const declarations = declarationsOf(application);
  const definition = declarations.definitions.get(name);
  if (definition === undefined) throw new TypeError(`The API ${name} is hosted, but not defined.`);
  return { api, hosted, definition, code: declarations.code.get(name) };
}

/** Returns the definitions of all APIs by name, with inheritance resolved. */
export function definitionsOf(application: Application): ReadonlyMap<string, ApiDefinition> {
  return declarationsOf(application).definitions;
}

function declarationsOf(application: Application): Declarations {
  const declarations = known.get(application) ?? collectDeclarations(application);
  known.set(application, declarations);
  return declarations;
}

function collectDeclarations({ modules, configuration }: Application): Declarations {
  const code = modules.flatMap((one) =>
    resolveDeclaredApis(one, configuration).map((definition) => ({ module: one.name, definition })),
  );
  return {
    definitions: new Map(collectDefinitions(modules, configuration).map((one) => [one.name, one])),
    // The first module that declares an API.
    code: new Map(code.reverse().map((one) => [one.definition.name, one])),
  };
}

/** Returns the key path of a part of an API's definition and its source: a file, or the declaring module. */
export function valueSource(
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

/** Returns the key path of a part of an API's definition. */
export function definitionPath(api: string, below: readonly string[] = []): KeyPath {
  return [HOSTING_KEY, 'apis', api, ...below];
}

/** Returns the key path of a part of a version. */
export function versionDefinitionPath(api: string, version: number, below: readonly string[] = []): KeyPath {
  return definitionPath(api, ['versions', String(version), ...below]);
}

/**
 * Returns the path of an object in the version that declares it. Writing to an inheriting version would replace the
 * whole object, as versions inherit schemas and parameters key by key.
 *
 * @param definition of the API, with inheritance resolved
 * @param path of an object in a version: `['versions', '2', 'services', 'Country', 'fields']`
 */
export function declaredAt(definition: unknown, path: readonly string[]): readonly string[] {
  const [versions = '', version = '', ...below] = path;
  const inherits = memberAt(definition, [versions, version, 'inherits']);
  if (typeof inherits !== 'number') return path;
  const former = [versions, String(inherits), ...below];
  const part = memberAt(definition, path);
  // Inherited objects are identical.
  const isInherited = typeof part === 'object' && part !== null && memberAt(definition, former) === part;
  return isInherited ? declaredAt(definition, former) : path;
}
