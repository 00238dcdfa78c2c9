import type { Steps } from '../../../framework';
import { replaceParameters, type Api, type Operation, type Service } from '../../documentation';

/** OpenAPI's paths: for each path its operations by method. */
export type PathItems = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** The methods that a Path Item Object can hold (OpenAPI 3.1.1, 4.8.9.1). */
const METHODS: readonly string[] = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * Returns the path items of a service, with the version prefix. A route with optional parts becomes several paths, as a
 * path parameter of OpenAPI is never optional. Where a collection and its entities share a path and a method,
 * the collection is documented.
 *
 * @param describe makes the Operation Object
 * @param description of the service, if it is not that of a tag; may be empty
 */
export function* pathItemsOf(
  api: Api,
  service: Service,
  describe: (operation: Operation, path: string) => unknown,
  description: string,
): Steps<PathItems> {
  const items = new Map<string, Map<string, unknown>>();
  for (const operation of [...service.getOperations(), ...service.getEntityOperations()]) {
    const method = operation.getHttpMethod().toLowerCase();
    if (!METHODS.includes(method)) continue;
    for (const path of service.getPaths(operation)) {
      const template = `${api.getVersionPath()}${replaceParameters(encodeURI(path), (name) => `{${name}}`)}`;
      const item = items.get(template) ?? new Map<string, unknown>();
      if (!item.has(method)) item.set(method, describe(operation, path));
      items.set(template, item);
    }
    yield;
  }
  const described = description === '' ? {} : { description };
  return Object.fromEntries(
    [...items].map(([path, item]) => [path, { ...described, ...Object.fromEntries(item) }]),
  );
}
