import { operationId } from '../../hosting';
import {
  namedOperation,
  parametersOfPath,
  type Api,
  type Operation,
  type Service,
} from '../../documentation';

/** Assigns operation ids that are unique in a document: declared ones, otherwise such as `Atlas_listCountry`. */
export class OperationIds {
  readonly #taken = new Set<string>();

  /** @param path one of the operation's paths; ids of all but the shortest name the additional parameters */
  next(api: Api, service: Service, operation: Operation, path: string): string {
    const shortest = parametersOfPath(service.getPaths(operation)[0] ?? '');
    const further = parametersOfPath(path).filter((name) => !shortest.includes(name));
    const suffix = further.length === 0 ? '' : `_with_${further.join('_')}`;
    const declared = operation.getOperationId();
    const id =
      declared === ''
        ? operationId({ api: api.getName(), ...namedOperation(service, operation) }, suffix)
        : declared + suffix;
    for (let count = 1; ; count += 1) {
      const candidate = count === 1 ? id : `${id}_${count}`;
      if (this.#taken.has(candidate)) continue;
      this.#taken.add(candidate);
      return candidate;
    }
  }
}
