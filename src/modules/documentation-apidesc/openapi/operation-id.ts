import type { Api, Operation, Service } from '../../documentation';

const COLLECTION: Readonly<Record<string, readonly [verb: string, suffix: string]>> = {
  GET: ['list', ''],
  POST: ['create', ''],
  PUT: ['replace', 'List'],
  PATCH: ['patch', 'List'],
  DELETE: ['delete', 'List'],
};

const ENTITY: Readonly<Record<string, string>> = { PUT: 'update' };

/**
 * Returns the name of an operation after the method of the resource: `listCountry`, `getCountry`,
 * `createVisit`, `patchVisit`, `deleteVisitList`; for RPC services after the HTTP method: `getDistance`.
 */
export function operationName(service: Service, operation: Operation): string {
  const method = operation.getHttpMethod().toUpperCase();
  const name = service.getName();
  if (service.getKind() === 'rest' && !operation.isEntity()) {
    const [verb, suffix] = COLLECTION[method] ?? [method.toLowerCase(), 'List'];
    return `${verb}${name}${suffix}`;
  }
  const verb = service.getKind() === 'rest' ? ENTITY[method] : undefined;
  return `${verb ?? method.toLowerCase()}${name}`;
}

/**
 * Assigns unique operation ids: `Atlas_listCountry`. The API's name makes an id unique
 * among all APIs, so that an operation has the same id in the list's document; the version is omitted, so
 * that clients generated for the next version keep their function names. Letters, digits and `_` only:
 * every generator can use it as an identifier.
 */
export class OperationIds {
  readonly #taken = new Set<string>();

  /** @param path one of the operation's paths; ids of all but the shortest name the additional parameters */
  next(api: Api, service: Service, operation: Operation, path: string): string {
    const shortest = parameters(service.getPaths(operation)[0] ?? '');
    const further = parameters(path).filter((name) => !shortest.includes(name));
    const suffix = further.length === 0 ? '' : `_with_${further.join('_')}`;
    const id = `${api.getName()}_${operationName(service, operation)}${suffix}`.replace(/\W/g, '_');
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? id : `${id}_${count}`;
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return candidate;
    }
  }
}

function parameters(path: string): readonly string[] {
  return [...path.matchAll(/:([A-Za-z_]\w*)/g)].map((match) => match[1] ?? '');
}
