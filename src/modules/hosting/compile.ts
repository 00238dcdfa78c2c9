import { StartError, type MvcEvent, type Router, type RouteTarget } from '../../framework';
import type { ApiDefinition } from './definition';
import { compileService } from './compile-service';
import type { Tools } from './operation-compiler';
import type { HostedApi, HostedService, HostedVersion } from './hosted-endpoint';
import { ServiceRoute } from './service-route';

const API_NAME = /^[A-Za-z][A-Za-z0-9_.]*$/;

/** Plain segments: parameters belong to the routes of services. */
const BASE_PATH = /^(\/[A-Za-z0-9._~-]+)*$/;

/** Characters of RFC 3986; pages link to it, so that no other scheme is allowed. */
const WEB_ADDRESS = /^https?:\/\/[\w\-.~:/?#[\]@!$&'()*+,;=%]+$/i;

/** @throws StartError for a declaration that cannot be */
export async function compileApi(
  definition: ApiDefinition,
  tools: Omit<Tools, 'locate'>,
  router: Router<RouteTarget>,
): Promise<HostedApi> {
  const { name, description = '', license, base_path: basePath = '', visibility = 'public' } = definition;
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
  if (!BASE_PATH.test(basePath)) {
    throw new StartError(
      `The API ${name} has the base_path "${basePath}"; write "/shop", without a parameter and without a slash at its end.`,
    );
  }
  const versions: HostedVersion[] = [];
  const locating: Tools = { ...tools, locate: (...args) => locate(router, ...args) };
  for (const [key, { services }] of Object.entries(definition.versions)) {
    const version = Number(key);
    if (!Number.isInteger(version) || version < 1) {
      throw new StartError(`The API ${name} has a version "${key}"; versions are whole numbers from 1.`);
    }
    const compiled: HostedService[] = [];
    for (const [service, declared] of Object.entries(services)) {
      compiled.push(await compileService({ api: name, version, service }, declared, locating));
    }
    versions.push(Object.freeze({ version, services: Object.freeze(compiled) }));
  }
  versions.sort((a, b) => a.version - b.version);
  const defaultVersion = definition.default_version ?? versions.at(-1)?.version;
  if (defaultVersion === undefined || !versions.some(({ version }) => version === defaultVersion)) {
    const known = versions.map(({ version }) => version).join(', ') || 'none';
    throw new StartError(`The API ${name} has no version ${defaultVersion ?? 'at all'}. It has: ${known}.`);
  }
  return Object.freeze({
    name,
    description,
    license,
    basePath,
    visibility,
    defaultVersion,
    versions: Object.freeze(versions),
  });
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
      `${api.basePath}[/v:version(\\d+)]${route}`,
      new ServiceRoute(api.name, api.defaultVersion, services),
    );
  }
}

function routeName(api: string, route: string): string {
  return `${api}:${route}`;
}

/** The path of an entity, at the same version prefix (or none) as the request's. */
function locate(
  router: Router<RouteTarget>,
  api: string,
  route: string,
  event: MvcEvent,
  identifier: Readonly<Record<string, string>>,
): string {
  return router.assemble(routeName(api, route), { ...event.parameters, ...identifier });
}
