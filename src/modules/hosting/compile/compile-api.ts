import {
  isSchema,
  ConfigurationError,
  ConfigurationErrors,
  pauseIfDue,
  type MvcEvent,
  type Router,
  type RouteTarget,
  errorMessage,
} from '../../../framework';
import type { ResolvedApi } from '../definition/definition';
import type { Validators } from '../../content-validation';
import { CorsPolicy } from '../cors/cors';
import { apiKeys, assertKnownKeys, versionKeys } from '../definition/checks/known-keys';
import { compileService } from './compile-service';
import { assertOperationIds } from './operation-ids';
import type { CompileContext } from './compile-context';
import { hasDotSegment, type EntityId } from '../rest/identifier';
import { lifecycleOf } from '../versions/lifecycle';
import { releaseOf } from '../versions/release';
import { parseVersionNumber } from '../versions/version-number';
import type { HostedApi, HostedService, HostedVersion } from '../hosted-endpoint';
import { QueryRoute, queryPath } from '../versions/query-route';
import { queryOf, ServiceRoute } from '../versions/service-route';
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
  assertApi(definition);
  const { name, description = '', license, contact } = definition;
  const { base_path: basePath = '', visibility = 'public' } = definition;
  const numbers = versionsOf(definition);
  const defaultVersion = defaultOf(definition, numbers);
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
    defaultVersion,
    cors: definition.cors === undefined ? undefined : new CorsPolicy(definition.cors, name),
    versions: Object.freeze(versions),
  });
}

/** @throws ConfigurationError for an invalid name, URL or base path, or an unknown key */
function assertApi(definition: ResolvedApi): void {
  const { name, license, contact, base_path: basePath = '' } = definition;
  if (!API_NAME.test(name)) {
    throw new ConfigurationError(
      `The API name "${name}" must begin with a letter and contain only letters, digits, "_" and ".".`,
    );
  }
  for (const [what, url] of [
    ['license', license?.url],
    ['contact', contact?.url],
  ] as const) {
    if (url === undefined || WEB_ADDRESS.test(url)) continue;
    throw new ConfigurationError(
      `The API ${name} has the ${what} URL "${url}". Write a URL that begins with https:// or http://.`,
    );
  }
  if (!isBasePath(basePath)) {
    throw new ConfigurationError(
      `The API ${name} has the base_path "${basePath}". Write a path without parameters and without a trailing slash, such as "/shop".`,
    );
  }
  assertKnownKeys(definition, apiKeys, `The API ${name}`);
}

async function compileVersion(
  { name: api, versions }: ResolvedApi,
  version: number,
  numbers: readonly number[],
  context: Omit<CompileContext, 'schemas'>,
): Promise<HostedVersion> {
  const { services = {}, schemas: shared = {}, ...lifecycle } = versions[version] ?? {};
  const where = `Version ${version} of the API ${api}`;
  const schemas = new SharedSchemas(withEnumsIn(shared), where);
  for (const [name, schema] of Object.entries(shared))
    warnAboutMisspeltKeywords(schema, `${where}: schemas.${name}`, context.groupedWarnings);
  const validators = validatorsFor(schemas, context.validators, where);
  const serviceContext: CompileContext = { ...context, schemas, validators };
  const compiled: HostedService[] = [];
  const errors = new ConfigurationErrors();
  for (const [service, definition] of Object.entries(services)) {
    const reference = { api, version, service };
    const hosted = await errors.collectAsync(async () => {
      const defined = await context.kinds.define(definition, reference);
      return compileService(reference, defined, serviceContext);
    });
    if (hosted !== undefined) compiled.push(hosted);
    await pauseIfDue();
  }
  errors.assertNone();
  assertKnownKeys(lifecycle, versionKeys, where);
  assertOperationIds(compiled, where);
  return Object.freeze({
    version,
    lifecycle: lifecycleOf(lifecycle, where, version, numbers),
    release: releaseOf(lifecycle, where),
    schemas,
    services: Object.freeze(compiled),
  });
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
function defaultOf({ name, default_version }: ResolvedApi, versions: readonly number[]): number {
  const wanted = default_version ?? versions.at(-1);
  if (wanted !== undefined && versions.includes(wanted)) return wanted;
  throw new ConfigurationError(
    wanted === undefined
      ? `The API ${name} has no versions. Add one, such as versions: { 1: { services } }.`
      : `The API ${name} has no version ${wanted}. Available: ${versions.join(', ') || 'none'}.`,
  );
}

/**
 * Adds the routes of an API. Each pattern is added once, with an optional version prefix, for all versions that
 * have it.
 * @throws ConfigurationError if two services of a version have the same route
 */
export async function addRoutes(api: HostedApi, router: Router<RouteTarget>): Promise<void> {
  const byRoute = new Map<string, HostedService[]>();
  for (const service of api.versions.flatMap(({ services }) => services)) {
    const others = byRoute.get(service.route) ?? [];
    const duplicate = others.find(({ version }) => version === service.version);
    if (duplicate !== undefined) {
      throw new ConfigurationError(
        `The services ${duplicate.name} and ${service.name} of ${api.name}-v${service.version} have the same route ${service.route}.`,
      );
    }
    byRoute.set(service.route, [...others, service]);
  }
  for (const [route, services] of byRoute) {
    const name = routeName(api.name, route);
    router.add(name, servicePattern(api.basePath, route), new ServiceRoute(api, services));
    const identifier = services.find(queryOf)?.routeIdentifierName ?? undefined;
    if (identifier !== undefined) {
      const target = new QueryRoute(api, services, route, identifier);
      router.add(`${name} QUERY`, servicePattern(api.basePath, queryPath(route, identifier)), target);
    }
    await pauseIfDue();
  }
}

/** Whether a path can prefix the routes of services: no parameters, no trailing slash. */
export function isBasePath(text: string): boolean {
  return BASE_PATH.test(text);
}

/** Returns the route pattern of a service: base path, optional version prefix, route. */
export function servicePattern(basePath: string, route: string): string {
  return `${basePath}[/v:version(\\d+)]${route}`;
}

function routeName(api: string, route: string): string {
  return `${api}:${route}`;
}

/**
 * Returns a function that builds entity paths, with the version prefix of the request; undefined for a request whose path
 * has a segment that no link can have.
 */
function locate(
  router: Router<RouteTarget>,
  api: string,
  route: string,
  event: MvcEvent,
  identifier: string | readonly string[],
): ((id: EntityId) => string) | undefined {
  const name = routeName(api, route);
  const { parameters } = event;
  if (hasDotSegment(event)) return undefined;
  if (typeof identifier !== 'string')
    return (id) => router.assemble(name, { ...parameters, ...(id as Exclude<EntityId, string>) });
  const path = router.assembler(name, identifier, parameters);
  return (id) => path(id as string);
}
