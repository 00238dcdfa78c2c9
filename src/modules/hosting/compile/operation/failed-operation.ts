import { findCurrentContext } from '../../current-context';

/** Prefix of the operation name in the function name of its handler, which stack traces show. */
const OPERATION_FRAME = 'operation ';

/** Matches V8's format: `at Object.operation Atlas-v1/Country entity GET [as handler] (…)`. */
const FRAME = new RegExp(
  `^ *at (?:.*\\.)?${OPERATION_FRAME}(\\S+(?: [\\w-]+)*?)(?: \\[as \\w+\\])? \\(`,
  'm',
);

/** The operation in which an uncaught error occurred, if known. */
export interface FailedOperation {
  /** Operation name, e.g. `Atlas-v1/Country entity GET`. */
  readonly operation?: string;
  readonly request_id?: string;
}

/**
 * Finds the operation in which an uncaught error occurred. With `platform-hosting.context_storage` it is always
 * known; otherwise it is read from the stack, which names it only until the handler first awaits something. Storing
 * the context of every request just for this would slow all of them.
 */
export function failedOperation(error: unknown): FailedOperation {
  const event = findCurrentContext()?.event;
  if (event?.endpoint !== undefined) return { operation: event.endpoint.name, request_id: event.request.id };
  const stack: unknown =
    typeof error === 'object' && error !== null ? Reflect.get(error, 'stack') : undefined;
  const operation = typeof stack === 'string' ? FRAME.exec(stack)?.[1] : undefined;
  return operation === undefined ? {} : { operation };
}

/** The name of the function that handles an operation, as {@link failedOperation} finds it. */
export function frameName(name: string): string {
  return `${OPERATION_FRAME}${name}`;
}
