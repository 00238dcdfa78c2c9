import { bodyOf } from '../http/requests';
import type { TestPlatform } from '../platform';

/** A documented operation, and its documented access for guests. */
export interface DocumentedOperation {
  readonly method: string;
  readonly path: string;
  readonly closedToGuests: boolean;
}

const record = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

const records = (value: unknown): readonly Record<string, unknown>[] =>
  Array.isArray(value) ? value.map(record) : [];

/** Fills in the parameters of a route or of an OpenAPI path. */
const fill = (path: string): string =>
  // An identifier that cannot exist is 404 for everybody.
  path.replace(/[:{]visit_id\}?/g, '6f0d1c1e-9f5c-7a39-8c0f-0d2a9c1f7b11').replace(/:\w+|\{\w+\}/g, 'DE');

/** The operations in the JSON of an API version. */
export async function operationsOfJson(
  platform: TestPlatform,
  api: string,
): Promise<readonly DocumentedOperation[]> {
  const document = await bodyOf(await platform.request(`/platform/documentation/${api}?format=json`));
  const prefix = `/v${String(document.version)}`;
  return records(document.services).flatMap((service) => {
    const route = String(service.route);
    const identifier = service.route_identifier_name === null ? '' : (/\[(.*)\]$/.exec(route)?.[1] ?? '');
    const collection = prefix + route.replace(/\[.*\]$/, '');
    const read = (list: unknown, path: string): DocumentedOperation[] =>
      records(list).map((operation) => ({
        method: String(operation.http_method),
        path: fill(path) + (typeof operation.subpath === 'string' ? operation.subpath : ''),
        closedToGuests: operation.requires_authorization === true,
      }));
    return [
      ...read(service.operations, collection),
      ...read(service.entity_operations, collection + identifier),
    ];
  });
}

/** The operations in the OpenAPI document of an API version. */
export async function operationsOfOpenApi(
  platform: TestPlatform,
  api: string,
): Promise<readonly DocumentedOperation[]> {
  const document = await bodyOf(await platform.request(`/platform/documentation/${api}?format=apidesc`));
  return Object.entries(record(document.paths)).flatMap(([path, item]) =>
    Object.entries(record(item)).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path: fill(path),
      closedToGuests: isClosed(record(operation)),
    })),
  );
}

/** A requirement without schemes allows guests (OpenAPI 3.1.1, 4.8.30). */
function isClosed({ security, responses }: Record<string, unknown>): boolean {
  const requirements = records(security).map((one) => Object.keys(one).length);
  // Without a mapped adapter there is no scheme to name: operations that require a user then respond 403.
  if (requirements.length === 0) return Object.hasOwn(record(responses), '403');
  return !requirements.includes(0);
}
