import {
  andThen,
  isSchema,
  isThenable,
  ConfigurationError,
  ConfigurationErrors,
  lazily,
  pauseIfDue,
  type MaybePromise,
  type Router,
  type RouteTarget,
  errorMessage,
} from '../../../framework';
import { declarationPlace, type DeclarationPlace } from '../definition/declaration-place';
import { deferredServicesOf } from '../definition/deferred-services';
import type { CustomService, ResolvedApi, ServiceDefinition } from '../definition/definition';
import type { Validators } from '../../content-validation';
import { CorsPolicy } from '../cors/cors';
import { apiKeys, assertKnownKeys, versionKeys } from '../definition/checks/known-keys';
import { compileService } from './compile-service';
import { locate } from './service-routes';
import { assertOperationIds } from './operation-ids';
import type { CompileContext } from './compile-context';
import { lifecycleOf, warnAboutSuccessor } from '../versions/lifecycle';
import { releaseOf } from '../versions/release';
import { parseVersionNumber } from '../versions/version-number';
import type { HostedApi, HostedService, HostedVersion } from '../hosted-endpoint';
import { withEnums } from '../members/enumerations';
import { warnAboutMisspeltKeywords } from '../schema/schema-warnings';
import type { Definitions } from '../schema/shared/shared-references';
import { SharedSchemas } from '../schema/shared/shared-schemas';
import { API_NAME } from '../settings';

/** Plain segments: only the routes of services have parameters. */
const BASE_PATH = /^(\/[A-Za-z0-9._~-]+)*$/;

/** Characters of RFC 3986. Pages link to these URLs, so only http and https are allowed. */
const WEB_ADDRESS = /^https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i;

/** What all APIs are compiled with. */
export type ApiCompileContext = Omit<
  CompileContext,
  'locate' | 'defaultVersion' | 'authorization' | 'hooks' | 'schemas'
>;

/** Compiles the versions and services of an API. @throws ConfigurationError for an invalid definition */
export async function compileApi(
  definition: ResolvedApi,
  context: ApiCompileContext,
  router: Router<RouteTarget>,
): Promise<HostedApi> {
  const where = `The API ${definition.name}`;
  const placeOf = declarationPlace(context.configuration, [definition.name], where);
  assertApi(definition, where, placeOf);
  const { name, description = '', license, contact } = definition;
  const { base_path: basePath = '', visibility = 'public' } = definition;
  const numbers = versionsOf(definition);
  const defaultVersion = defaultOf(definition, placeOf, numbers);
  const versionContext: Omit<CompileContext, 'schemas'> = {
    ...context,
    timeout: definition.timeout ?? context.timeout,
    heartbeat: definition.heartbeat ?? context.heartbeat,
    hooks: definition.hooks,
    authorization: definition.authorization,
    defaultVersion,
    locate: (...args) => locate(router, ...args),
  };
  const versions: HostedVersion[] = [];
  const errors = new ConfigurationErrors();
  for (const version of numbers) {
    const compiled = await errors.collectAsync(() =>
      compileVersion(definition, version, numbers, versionContext),
    );
    if (compiled !== undefined) versions.push(compiled);
  }
  errors.assertNone();
  return Object.freeze({
    name,
    description,
    license,
    contact,
    basePath,
    visibility,
    isDeferred: deferredServicesOf(definition) !== undefined,
    defaultVersion,
    cors: definition.cors === undefined ? undefined : new CorsPolicy(definition.cors, () => placeOf('cors')),
    versions: Object.freeze(versions),
  });
}

/** @throws ConfigurationError for an invalid name, URL or base path, or an unknown key */
function assertApi(definition: ResolvedApi, where: string, placeOf: DeclarationPlace): void {
  const { name, license, contact, base_path: basePath = '' } = definition;
  if (!API_NAME.test(name)) {
    throw new ConfigurationError(
      `The API name "${name}" must begin with a letter and contain only letters, digits, "_" and ".".`,
    );
  }
  for (const [key, url] of [
    ['license.url', license?.url],
    ['contact.url', contact?.url],
  ] as const) {
    if (url === undefined || WEB_ADDRESS.test(url)) continue;
    throw new ConfigurationError(
      `${placeOf(key)}: ${key} is "${url}". Write a URL that begins with https:// or http://.`,
    );
  }
  if (!isBasePath(basePath)) {
    throw new ConfigurationError(
      `${placeOf('base_path')}: base_path is "${basePath}". Write a path without parameters and without a trailing slash, such as "/shop".`,
    );
  }
  assertKnownKeys(definition, apiKeys, where);
}

async function compileVersion(
  definition: ResolvedApi,
  version: number,
  numbers: readonly number[],
  context: Omit<CompileContext, 'schemas'>,
): Promise<HostedVersion> {
  const { name: api, versions } = definition;
  const { services = {}, schemas: shared = {}, ...lifecycle } = versions[version] ?? {};
  const where = `Version ${version} of the API ${api}`;
  const schemas = new SharedSchemas(withEnumsIn(shared), where);
  for (const [name, schema] of Object.entries(shared))
    warnAboutMisspeltKeywords(schema, `${where}: schemas.${name}`, context.warnings);
  const validators = validatorsFor(schemas, context.validators, where);
  const serviceContext: CompileContext = { ...context, schemas, validators };
  const compile = (
    service: string,
    declared: ServiceDefinition | CustomService,
  ): MaybePromise<HostedService> => {
    const reference = { api, version, service };
    return andThen(context.kinds.define(declared, reference), (defined) =>
      compileService(reference, defined, serviceContext),
    );
  };
  const placeOf = declarationPlace(context.configuration, [api, 'versions', String(version)], where);
  const declare = deferredServicesOf(definition);
  const compiled =
    declare === undefined
      ? await compileServices(services, compile, where)
      : lazily(() => compileImmediately(declare(), compile, where));
  assertKnownKeys(lifecycle, versionKeys, where);
  warnAboutSuccessor(lifecycle, placeOf, context.warnings);
  return Object.freeze({
    version,
    lifecycle: lifecycleOf(lifecycle, placeOf, version, numbers),
    release: releaseOf(lifecycle, placeOf),
    schemas,
    get services() {
      return typeof compiled === 'function' ? compiled() : compiled;
    },
  });
}

type Services = Readonly<Record<string, ServiceDefinition | CustomService>>;
type Compile = (service: string, declared: ServiceDefinition | CustomService) => MaybePromise<HostedService>;

/** @throws ConfigurationError with all that is wrong with the services */
async function compileServices(
  services: Services,
  compile: Compile,
  where: string,
): Promise<readonly HostedService[]> {
  const compiled: HostedService[] = [];
  const errors = new ConfigurationErrors();
  for (const [service, declared] of Object.entries(services)) {
    const hosted = await errors.collectAsync(async () => compile(service, declared));
    if (hosted !== undefined) compiled.push(hosted);
    await pauseIfDue();
  }
  errors.assertNone();
  assertOperationIds(compiled, where);
  return Object.freeze(compiled);
}

/** @throws TypeError for a service that refers to something by name or class, as that is resolved later */
function compileImmediately(services: Services, compile: Compile, where: string): readonly HostedService[] {
  const compiled = Object.entries(services).map(([service, declared]) => {
    const hosted = compile(service, declared);
    if (!isThenable(hosted)) return hosted;
    Promise.resolve(hosted).catch(() => undefined);
    throw new TypeError(
      `${where}: the service ${service} refers to the container, so it cannot be deferred.`,
    );
  });
  assertOperationIds(compiled, where);
  return Object.freeze(compiled);
}

function withEnumsIn(shared: Definitions): Definitions {
  return Object.fromEntries(
    Object.entries(shared).map(([name, schema]) => [name, isSchema(schema) ? withEnums(schema) : schema]),
  );
}

/** Returns validators that know the shared schemas. @throws ConfigurationError for an invalid shared schema */
function validatorsFor({ definitions }: SharedSchemas, validators: Validators, where: string): Validators {
  if (Object.keys(definitions).length === 0) return validators;
  try {
    return validators.withDefinitions(definitions);
  } catch (error) {
    throw new ConfigurationError(`${where}: ${errorMessage(error)}`, {
      cause: error,
    });
  }
}

/** Returns the version numbers in ascending order. @throws ConfigurationError for an invalid version number */
function versionsOf({ name, versions }: ResolvedApi): readonly number[] {
  const invalid = Object.keys(versions).find((key) => parseVersionNumber(key) === undefined);
  if (invalid === undefined)
    return Object.keys(versions)
      .map(Number)
      .sort((a, b) => a - b);
  throw new ConfigurationError(`The API ${name} has the version "${invalid}"; versions are integers from 1.`);
}

/** @throws ConfigurationError for an unknown default version, or an API without versions */
function defaultOf(
  { name, default_version }: ResolvedApi,
  placeOf: DeclarationPlace,
  versions: readonly number[],
): number {
  const wanted = default_version ?? versions.at(-1);
  if (wanted !== undefined && versions.includes(wanted)) return wanted;
  throw new ConfigurationError(
    wanted === undefined
      ? `The API ${name} has no versions. Add one, such as versions: { 1: { services } }.`
      : `${placeOf('default_version')}: default_version is ${wanted}, which is not a version of the API. Available: ${versions.join(', ') || 'none'}.`,
  );
}

/** Whether a path can prefix the routes of services: no parameters, no trailing slash. */
export function isBasePath(text: string): boolean {
  return BASE_PATH.test(text);
}
