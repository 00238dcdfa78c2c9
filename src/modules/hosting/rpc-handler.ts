import { Response, StartError, type Endpoint, type MvcEvent } from '../../framework';
import { EventContext } from './context';
import type { ProcedureDefinition, RpcHandler } from './operation-definition';
import type { Place } from './place';
import { gone } from './rest-answers';
import { inTimeThen } from './timeout';

const OK = 200;
const NO_CONTENT = 204;

/** Successes that need more than a result: a form that is emptied, and a range (RFC 9110, 15.3.6 and 15.3.7). */
const OF_THEIR_OWN: readonly number[] = [205, 206];

/** Whether a procedure may answer with it when it succeeds. */
export function isProcedureStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 200 && status <= 299 && !OF_THEIR_OWN.includes(status);
}

/**
 * The status with which a procedure answers when it succeeds.
 * @param where names the service, for messages
 * @throws StartError for one that says something else, and for content where there can be none
 */
export function procedureStatus(
  { status = OK, response, stream }: ProcedureDefinition,
  method: string,
  where: string,
): number {
  if (!isProcedureStatus(status)) {
    throw new StartError(
      `${where}: the status of ${method} is ${status}. Write one from 200 to 299, other than ${OF_THEIR_OWN.join(' and ')}; what went wrong is thrown as a Problem.`,
    );
  }
  const content = response === undefined ? 'stream' : 'response';
  if (status === NO_CONTENT && (response !== undefined || stream !== undefined)) {
    throw new StartError(
      `${where}: the status of ${method} is 204, which has no content, and it has a "${content}". Take one of them away.`,
    );
  }
  return status;
}

/** Runs a procedure. A Response that it makes has the status that it was made with. */
export function rpcHandler(handle: RpcHandler, status: number, { api, version }: Place): Endpoint['handler'] {
  const act = (event: MvcEvent): unknown => handle(new EventContext(event, api, version));
  if (status === OK) return act;
  if (status === NO_CONTENT) {
    return (event) =>
      inTimeThen(event, act(event), (result) => (result instanceof Response ? result : gone(event)));
  }
  return (event) => {
    event.response.status = status;
    return act(event);
  };
}
