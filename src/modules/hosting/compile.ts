import { StartError, type MvcEvent, type Router, type RouteTarget } from '../../framework';
import type { ResolvedApi } from './definition';
import type { Validators } from '../content-validation';
import { CorsPolicy } from './cors';
import { apiKeys, assertKnownKeys, versionKeys } from './known-keys';
import { compileService } from './compile-service';
import type { Tools } from './tools';
import { lifecycleOf } from './lifecycle';
import type { HostedApi, HostedService, HostedVersion } from './hosted-endpoint';
import { ServiceRoute } from './service-route';
import { SharedSchemas } from './shared-schemas';

const API_NAME = /^[A-Za-z][A-Za-z0-9_.]*$/;

/** Plain segments: parameters belong to the routes of services. */
const BASE_PATH = /^(\/[A-Za-z0-9._~-]+)*$/;

/** Characters of RFC 3986; pages link to it, so that no other scheme is allowed. */
const WEB_ADDRESS = /^https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i;

/** @throws StartError for a declaration that cannot be */
export async function compileApi(
  definition: ResolvedApi,
  tools: Omit<Tools, 'locate' | 'defaultVersion' | 'authorization' | 'schemas'>,
  router: Router<RouteTarget>,
): Promise<HostedApi> {
  const { name, description = '', license, contact } = definition;
  const { base_path: basePath = '', visibility = 'public' } = definition;
  if (!API_NAME.test(name)) {
    throw new StartError(
      `The API name "${name}" must begin with a letter and hold only letters, digits, "_" and ".".`,
    );
  }
  if (license?.url !== undefined && !WEB_ADDRESS.test(license.url)) {
    throw new StartError(
      `The API ${name} has a licence at "${license.url}", which is no address that begins with https:// or http://.`,
    );
  }
  if (contact?.url !== undefined && !WEB_ADDRESS.test(contact.url)) {
    throw new StartError(
      `The API ${name} has a contact at "${contact.url}", which is no address that begins with https:// or http://.`,
    );
  }
  if (!isBasePath(basePath)) {
    throw new StartError(
      `The API ${name} has the base_path "${basePath}"; write "/shop", without a parameter and without a slash at its end.`,
    );
  }
  assertKnownKeys(definition, apiKeys, `The API ${name}`);
  const numbers = versionsOf(definition);
  const defaultVersion = defaultOf(definition, numbers);
  const versions: HostedVersion[] = [];
  const compiling: Omit<Tools, 'schemas'> = {
    ...tools,
    timeout: definition.timeout ?? tools.timeout,
    heartbeat: definition.heartbeat ?? tools.heartbeat,
    authorization: definition.authorization,
    defaultVersion,
    locate: (...args) => locate(router, ...args),
  };
  for (const version of numbers) {
    const { services = {}, schemas: shared = {}, ...told } = definition.versions[version] ?? {};
    const where = `Version ${version} of the API ${name}`;
    const schemas = new SharedSchemas(shared, where);
    const validators = validatorsFor(schemas, tools.validators, where);
    const compiled: HostedService[] = [];
    for (const [service, declared] of Object.entries(services)) {
      const place = { api: name, version, service };
      compiled.push(await compileService(place, declared, { ...compiling, schemas, validators }));
    }
    assertKnownKeys(told, versionKeys, where);
    const lifecycle = lifecycleOf(told, where, version, numbers);
    versions.push(Object.freeze({ version, lifecycle, schemas, services: Object.freeze(compiled) }));
  }
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

/** What checks by schemas that refer to shared ones. @throws StartError for a shared one that is no schema */
function validatorsFor({ definitions }: SharedSchemas, validators: Validators, where: string): Validators {
  if (Object.keys(definitions).length === 0) return validators;
  try {
    return validators.sharing(definitions);
  } catch (error) {
    throw new StartError(`${where}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
}

/** The versions of an API, rising. @throws StartError for one that is no version */
function versionsOf({ name, versions }: ResolvedApi): readonly number[] {
  const odd = Object.keys(versions).find((key) => !Number.isInteger(Number(key)) || Number(key) < 1);
  if (odd === undefined)
    return Object.keys(versions)
      .map(Number)
      .sort((a, b) => a - b);
  throw new StartError(`The API ${name} has a version "${odd}"; versions are whole numbers from 1.`);
}

/** @throws StartError where there is no such version, or none at all */
function defaultOf({ name, default_version }: ResolvedApi, versions: readonly number[]): number {
  const wanted = default_version ?? versions.at(-1);
  if (wanted !== undefined && versions.includes(wanted)) return wanted;
  const known = versions.join(', ') || 'none';
  throw new StartError(`The API ${name} has no version ${wanted ?? 'at all'}. It has: ${known}.`);
}

/**
 * Adds the routes of an API: each pattern once, with the version's prefix, for all the versions that have it.
 * @throws StartError when two services take the same paths
 */
export function addRoutes(api: HostedApi, router: Router<RouteTarget>): void {
  const byRoute = new Map<string, HostedService[]>();
  for (const service of api.versions.flatMap(({ services }) => services)) {
    const others = byRoute.get(service.route) ?? [];
    const twin = others.find(({ version }) => version === service.version);
    if (twin !== undefined) {
      throw new StartError(
        `The services ${twin.name} and ${service.name} of ${api.name}-v${service.version} have the same route ${service.route}.`,
      );
    }
    byRoute.set(service.route, [...others, service]);
  }
  for (const [route, services] of byRoute) {
    router.add(
      routeName(api.name, route),
      servicePattern(api.basePath, route),
      new ServiceRoute(api, services),
    );
  }
}

/** Whether services can stand below a path: no parameter, no slash at its end. */
export function isBasePath(text: string): boolean {
  return BASE_PATH.test(text);
}

/** The pattern of a service's route: below the base path of its API, and its version. */
export function servicePattern(basePath: string, route: string): string {
  return `${basePath}[/v:version(\\d+)]${route}`;
}

function routeName(api: string, route: string): string {
  return `${api}:${route}`;
}

/** The paths of entities, at the same version prefix (or none) as the request's. */
function locate(
  router: Router<RouteTarget>,
  api: string,
  route: string,
  event: MvcEvent,
  identifier: string,
): (id: string) => string {
  return router.assembler(routeName(api, route), identifier, event.parameters);
}
