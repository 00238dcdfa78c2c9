import { titleOf } from '../../framework';
import type { HostedEndpoint, HostedService } from '../hosting';
import { mayRefuseUsers, needsUser, type OperationPolicy } from '../mvc-auth';
import { conditionalStatuses } from './headers-of';
import type { StatusCodeData } from './model/data';

/** The statuses an operation answers with: its success, and what the listeners before it may refuse. */
export function statusesOf(
  endpoint: HostedEndpoint,
  { guard, routeIdentifierName, parameterCheck }: HostedService,
): readonly StatusCodeData[] {
  const hasBody = endpoint.requestSchema !== null;
  const isEntity = endpoint.part === 'entity' && routeIdentifierName !== null;
  const held = parameterCheck?.names.some((name) => name !== routeIdentifierName) === true;
  const isPaged = endpoint.part === 'collection' && Object.hasOwn(endpoint.querySchema.properties, 'page');
  const codes = [
    endpoint.status,
    400,
    ...(guard === undefined ? [] : [401, 429]),
    ...((guard === undefined && needsUser(endpoint.access)) || mayRefuseUsers(endpoint.access) ? [403] : []),
    ...(isEntity || held ? [404] : []),
    406,
    ...(isPaged ? [409] : []),
    ...conditionalStatuses(endpoint),
    ...(hasBody ? [413, 415, 422] : []),
    ...(endpoint.timeout === 0 ? [] : [503]),
  ];
  return sorted([
    ...codes.map((code) => ({ code, message: titleOf(code) })),
    ...(endpoint.policy === undefined ? [] : [{ code: 403, message: refusalOf(endpoint.policy) }]),
    ...(endpoint.definition.status_codes ?? []),
  ]);
}

/** Formats that have no place for a policy tell of it here. */
function refusalOf({ name, description }: OperationPolicy): string {
  const whom = description === '' ? '' : `, which lets in: ${description}`;
  return `${titleOf(403)} by the policy "${name}"${whom}`;
}

/** Rising, each once; what authors say of a status wins. */
export function sorted(statuses: readonly StatusCodeData[]): readonly StatusCodeData[] {
  return [...new Map(statuses.map((status) => [status.code, status])).values()].sort(
    (a, b) => a.code - b.code,
  );
}
