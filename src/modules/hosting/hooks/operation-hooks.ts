import type { MaybePromise } from '../../../framework';
import type { HandlerContext } from '../context';
import type { ServicePart } from '../definition/service-part';

/** The operation that a request addresses. */
export interface HookedOperation {
  readonly service: string;
  readonly part: ServicePart;
  /** The HTTP method of its declaration, such as `GET`, or `QUERY`. */
  readonly method: string;
}

/** The request as hooks see it: as its handler does, with the operation. */
export interface OperationContext extends HandlerContext {
  readonly operation: HookedOperation;
}

/**
 * Code around the operations of an API, a service, or one operation. It runs after sign-in, authorization and validation, within
 * the timeout of the operation; results are filtered and checked by the response schema afterwards. `before` runs from
 * the API to the operation, the others from the operation to the API.
 */
export interface OperationHooks {
  /** Called before the handler. A result other than undefined is that of the operation, whose handler is not called. */
  before?(context: OperationContext): MaybePromise<unknown>;
  /** Called with the result. @returns the result to send; undefined to keep it */
  after?(result: unknown, context: OperationContext): MaybePromise<unknown>;
  /**
   * Called with what the handler or another hook has thrown, a `Problem` for instance. It may throw another error.
   * @returns the result to send instead; undefined for the error
   */
  onError?(error: unknown, context: OperationContext): MaybePromise<unknown>;
}

/** Hooks, or their container name. */
export type HooksReference = OperationHooks | string;

export const operationHookNames = [
  'before',
  'after',
  'onError',
] as const satisfies readonly (keyof OperationHooks)[];
