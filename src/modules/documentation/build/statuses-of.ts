import { immutable, parsePattern, titleOf } from '../../../framework';
import { MULTIPART } from '../../content-negotiation';
import type { HostedEndpoint, HostedService } from '../../hosting';
import { mayRefuseUsers, requiresUser, type OperationPolicy } from '../../mvc-auth';
import { conditionalStatuses } from './headers-of';
import { constraintsOf } from './parameters-of';
import type { StatusCodeData } from '../model/data';
import { scopeRefusal, scopesOf } from './scopes-of';

/** Returns the statuses of an operation: its success, and the errors of the listeners that run before it. */
export function statusesOf(endpoint: HostedEndpoint, service: HostedService): readonly StatusCodeData[] {
  const { guard, routeIdentifierName } = service;
  const scopes = scopesOf(endpoint.access);
  const hasBody = endpoint.requestSchema !== null;
  const isEntity = endpoint.part === 'entity' && routeIdentifierName !== null;
  // Without spreads, which create an iterator for each condition.
  const codes = [endpoint.status, 400];
  if (guard !== undefined) codes.push(401, 429);
  if (endpoint.rateLimits !== undefined) codes.push(429);
  if ((guard === undefined && requiresUser(endpoint.access)) || mayRefuseUsers(endpoint.access))
    codes.push(403);
  if (isEntity || checksParameters(service)) codes.push(404);
  codes.push(406);
  // A page after the last.
  if (endpoint.paging?.byCursor === false) codes.push(409);
  codes.push(...conditionalStatuses(endpoint));
  if (hasBody) codes.push(413, 415, 422);
  // The resource may keep what exists.
  if (endpoint.method === 'DELETE' && endpoint.part !== 'rpc') codes.push(422);
  if (endpoint.timeout !== 0) codes.push(503);
  // The disk may be full.
  if (hasBody && endpoint.negotiation.contentTypes.includes(MULTIPART)) codes.push(507);
  const own: StatusCodeData[] = [];
  if (endpoint.policy !== undefined) own.push({ code: 403, message: refusalOf(endpoint.policy) });
  if (scopes !== undefined) own.push({ code: 403, message: scopeRefusal(scopes) });
  for (const { code, message } of endpoint.definition.status_codes ?? []) own.push({ code, message });
  const standard = standardStatuses(codes);
  return own.length === 0 ? standard : sortStatuses([...standard, ...own]);
}

/** By their codes: an API with many operations repeats a few lists. */
const standardLists = new Map<string, readonly StatusCodeData[]>();

/** Returns statuses with their standard titles, sorted. */
function standardStatuses(codes: readonly number[]): readonly StatusCodeData[] {
  const key = codes.join();
  let list = standardLists.get(key);
  if (list === undefined) {
    list = immutable(sortStatuses(codes.map((code) => ({ code, message: titleOf(code) }))));
    standardLists.set(key, list);
  }
  return list;
}

/** Whether paths of a collection have parameters with restrictions. */
function checksParameters({ parameterCheck, routeIdentifierNames, route }: HostedService): boolean {
  if (parameterCheck === undefined && !route.includes('(')) return false;
  const { parts } = parsePattern(route);
  const required = parts.flatMap((part) => (part.kind === 'parameter' ? [part.name] : []));
  const isOfEntity = (name: string): boolean =>
    routeIdentifierNames.includes(name) && (routeIdentifierNames.length === 1 || !required.includes(name));
  return [...(parameterCheck?.names ?? []), ...constraintsOf(parts).keys()].some((name) => !isOfEntity(name));
}

/** The message of a 403; formats without a member for policies show it there. */
function refusalOf({ name, description }: OperationPolicy): string {
  const whom = description === '' ? '' : `: ${description}`;
  return `${titleOf(403)} by the policy "${name}"${whom}`;
}

/** Sorts statuses by code, without duplicates; declared ones replace derived ones. */
export function sortStatuses(statuses: readonly StatusCodeData[]): readonly StatusCodeData[] {
  return [...new Map(statuses.map((status) => [status.code, status])).values()].sort(
    (a, b) => a.code - b.code,
  );
}
