import type { Endpoint } from '../../framework';
import type { HostedEndpoint } from './hosted-endpoint';
import type { ServicePart } from './definition/service-part';

const COLLECTION: Readonly<Record<string, readonly [verb: string, suffix: string]>> = {
  GET: ['list', ''],
  QUERY: ['query', ''],
  POST: ['create', ''],
  PUT: ['replace', 'List'],
  PATCH: ['patch', 'List'],
  DELETE: ['delete', 'List'],
};

const ENTITY: Readonly<Record<string, string>> = { PUT: 'update' };

/** What the name of an operation is made of. */
interface NamedOperation {
  readonly service: string;
  readonly part: ServicePart;
  readonly method: string;
}

/**
 * Returns the name of an operation after the method of the resource: `listCountry`, `getCountry`, `queryVisit`,
 * `createVisit`, `patchVisit`, `deleteVisitList`; for RPC services after the HTTP method: `getDistance`.
 */
export function operationName({ service, part, method }: NamedOperation): string {
  const upper = method.toUpperCase();
  if (part === 'collection') {
    const [verb, suffix] = COLLECTION[upper] ?? [method.toLowerCase(), 'List'];
    return `${verb}${service}${suffix}`;
  }
  return `${(part === 'entity' ? ENTITY[upper] : undefined) ?? method.toLowerCase()}${service}`;
}

/**
 * Returns the id under which an operation is documented: the declared one, or `Atlas_listCountry`. The API's name makes it unique among all
 * APIs; the version is omitted, so that clients generated for the next version keep their function names. Letters,
 * digits and `_` only: every generator can use it as an identifier.
 */
export function operationId(
  operation: Pick<HostedEndpoint, 'api' | 'service' | 'part' | 'method'> &
    Partial<Pick<HostedEndpoint, 'definition'>>,
  suffix = '',
): string {
  // The query of a collection is a second method of its GET.
  const declared = operation.method === 'QUERY' ? undefined : operation.definition?.operation_id;
  if (declared !== undefined) return declared + suffix;
  return `${operation.api}_${operationName(operation)}${suffix}`.replace(/\W/g, '_');
}

/** Whether an endpoint is an operation of an API. */
export function isHosted(endpoint: Endpoint | undefined): endpoint is HostedEndpoint {
  return endpoint !== undefined && 'api' in endpoint && 'service' in endpoint;
}
