import { ServerResponse } from 'node:http';
import {
  findEndpoint,
  matchRoute,
  MvcEvent,
  Problem,
  respondToMethod,
  selectTarget,
  type Application,
  type Request,
  type Response,
} from '../../../../framework';
import { Catalogue, isHosted, type HostedEndpoint } from '../../../hosting';
import { ruleOf, type AccessTarget, type Identity } from '../../../mvc-auth';
import { invalid } from '../../changes/field-errors';
import { formatOperation, type What } from './question';

/** What a tested request addresses. */
export interface TestedTarget extends AccessTarget {
  /** The operation; undefined for other routes, and for methods that the path does not have. */
  readonly endpoint: HostedEndpoint | undefined;
  /** For the result: `Note GET of Club v1`. */
  readonly name: string;
  /** The route, if it is not one of an API. */
  readonly route: { readonly name: string; readonly pattern: string } | undefined;
  /** Whether it is documentation, which users may also read after a sign-in with OpenID Connect. */
  readonly isDocumentation: boolean;
  /**
   * Responds before authorization: to OPTIONS with 204, and with a Problem 405 to a method that the path does not
   * support. Undefined for other methods.
   */
  readonly respondToMethod: () => Response | Problem | undefined;
  /** The status of permitted requests. @throws Problem 404 for documentation that is hidden from the identity */
  readonly successStatus: (identity: Identity) => number;
}

/**
 * Returns what a request addresses, with the functions that route requests.
 * @throws Problem of the request, such as 404 for a path without a route; 422 for an operation that does not exist
 */
export async function testedTarget(
  application: Application,
  what: What,
  request: Request,
): Promise<TestedTarget> {
  return what.kind === 'path'
    ? ofPath(application, what, request)
    : ofEndpoint(await endpointOf(application, what));
}

function ofEndpoint(endpoint: HostedEndpoint): TestedTarget {
  const { method, guard, access, status } = endpoint;
  return {
    method,
    guard,
    rule: access,
    endpoint,
    name: nameOf(endpoint),
    route: undefined,
    isDocumentation: false,
    respondToMethod: () => undefined,
    successStatus: () => status,
  };
}

function nameOf(endpoint: HostedEndpoint): string {
  return `${formatOperation(endpoint)} of ${endpoint.api} v${endpoint.version}`;
}

async function ofPath(
  { router }: Application,
  { method, path }: Extract<What, { kind: 'path' }>,
  request: Request,
): Promise<TestedTarget> {
  const derived = request.retarget(method, path);
  const event = new MvcEvent(derived, new ServerResponse(derived.message));
  const result = matchRoute(router, event);
  if (result instanceof Problem) throw result;
  await selectTarget(event);
  findEndpoint(event);
  const { endpoint, match, guard } = event;
  const hosted = isHosted(endpoint) ? endpoint : undefined;
  return {
    method,
    guard,
    rule: ruleOf(event),
    endpoint: hosted,
    name: hosted === undefined ? `${method} ${derived.path}` : nameOf(hosted),
    route:
      hosted === undefined && match !== undefined
        ? { name: match.route.name, pattern: match.route.pattern.text }
        : undefined,
    isDocumentation: event.documentation !== undefined,
    respondToMethod: () => respondToMethod(event),
    successStatus: (identity) => {
      assertShown(event, identity);
      return hosted?.status ?? 200;
    },
  };
}

/** @throws Problem 404 for documentation that is hidden from the identity */
function assertShown({ documentation }: MvcEvent, { isGuest }: Identity): void {
  const shown = isGuest ? documentation?.forGuests : documentation?.forUsers;
  if (shown instanceof Problem) throw shown;
}

/** @throws Problem 422 */
async function endpointOf(
  { services }: Application,
  operation: Extract<What, { kind: 'operation' }>,
): Promise<HostedEndpoint> {
  const catalogue = await services.get(Catalogue);
  const version = catalogue.version(operation.api, operation.version);
  if (version === undefined) {
    const message = `${operation.api} v${operation.version} does not exist. Choose an API version.`;
    throw invalid([{ pointer: '/api_version', message }]);
  }
  const endpoints = version.services.flatMap((one) => [...one.operations, ...one.entityOperations]);
  const wanted = formatOperation(operation);
  const found = endpoints.find((endpoint) => formatOperation(endpoint) === wanted);
  if (found !== undefined) return found;
  const message = `Operation "${wanted}" does not exist in ${operation.api} v${operation.version}. Choose an operation.`;
  throw invalid([{ pointer: '/operation', message }]);
}
