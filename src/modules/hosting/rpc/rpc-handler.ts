import {
  ConfigurationError,
  Problem,
  Response,
  withoutStack,
  type Endpoint,
  type MvcEvent,
} from '../../../framework';
import { EventContext } from '../context';
import type { ProcedureDefinition, RpcHandler } from '../definition/operation-definition';
import type { ServiceReference } from '../definition/definition';
import { respondWithNoContent } from '../rest/rest-responses';
import { thenUnlessTimedOut } from '../timeout';

const OK = 200;
const NO_CONTENT = 204;

/** Success statuses that need more than a result: reset content, and partial content (RFC 9110, 15.3.6, 15.3.7). */
const UNSUPPORTED: readonly number[] = [205, 206];

/** Whether a procedure may use the status for success. */
export function isProcedureStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 299 && !UNSUPPORTED.includes(status);
}

/**
 * Returns the success status of a procedure.
 * @param where service name, for messages
 * @throws ConfigurationError for an unsupported status, or 204 with content
 */
export function procedureStatus(
  { status = OK, response, stream }: ProcedureDefinition,
  method: string,
  where: string,
): number {
  if (!isProcedureStatus(status)) {
    throw new ConfigurationError(
      `${where}: the status of ${method} is ${status}. Write a status from 200 to 299, except ${UNSUPPORTED.join(' and ')}; throw a Problem for errors.`,
    );
  }
  const content = response === undefined ? 'stream' : 'response';
  if (status === NO_CONTENT && (response !== undefined || stream !== undefined)) {
    throw new ConfigurationError(
      `${where}: the status of ${method} is 204, which has no content, but it has a "${content}". Remove one of them.`,
    );
  }
  return status;
}

/** Creates the handler of a procedure. A Response that the procedure returns keeps its own status. */
export function rpcHandler(
  handle: RpcHandler,
  status: number,
  { api, version }: ServiceReference,
): Endpoint['handler'] {
  const run = (event: MvcEvent): unknown => handle(new EventContext(event, api, version));
  if (status === OK) return run;
  if (status === NO_CONTENT) {
    return (event) =>
      thenUnlessTimedOut(event, run(event), (result) =>
        // The procedure may have set another status.
        result instanceof Response || ![OK, NO_CONTENT].includes(event.response.status)
          ? result
          : respondWithNoContent(event),
      );
  }
  return (event) => {
    event.response.status = status;
    return run(event);
  };
}

/** Handler name for operations that are documented before they are implemented. */
export const NOT_IMPLEMENTED = 'not-implemented';

/** Responds with 501. The log has the method and the path; the stack is always the same. */
export function notImplemented(): never {
  throw withoutStack(() => new Problem(501, 'This operation is documented but not implemented yet.'));
}
