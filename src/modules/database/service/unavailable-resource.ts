import { problem } from '../../../framework';
import type { AnyResource } from '../../hosting';

/** The resource of a service whose table is unknown: its database has not been reached since the start. */
export class UnavailableResource implements AnyResource {
  readonly checksPreconditions = true;
  readonly fetch = unavailable;
  readonly fetchAll = unavailable;
  readonly streamAll = unavailable;
  readonly queryAll = unavailable;
  readonly create = unavailable;
  readonly createList = unavailable;
  readonly replaceList = unavailable;
  readonly patchList = unavailable;
  readonly deleteList = unavailable;
  readonly update = unavailable;
  readonly patch = unavailable;
  readonly delete = unavailable;

  revision(): undefined {
    return undefined;
  }
}

/** @throws Problem 503 */
function unavailable(): never {
  throw problem('database_unavailable', {}, { fields: [['Retry-After', '2']] });
}
