import { operationName, type Api, type Operation, type Service } from '../../documentation';

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
