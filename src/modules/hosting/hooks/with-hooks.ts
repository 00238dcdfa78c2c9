import { discard, isReadLazily, type Endpoint, type MvcEvent } from '../../../framework';
import { EventContext } from '../context';
import type { ServiceReference } from '../definition/definition';
import { throwIfProblem } from '../timeout';
import type { HookedOperation, OperationContext, OperationHooks } from './operation-hooks';

/** A context for hooks: those of one request share it. */
class HookedContext extends EventContext implements OperationContext {
  readonly operation: HookedOperation;

  constructor(event: MvcEvent, { api, version }: ServiceReference, operation: HookedOperation) {
    super(event, api, version);
    this.operation = operation;
  }
}

/**
 * Calls hooks around a handler. Without hooks, it is the handler itself.
 * @param hooks the outermost first
 */
export function withHooks(
  handler: Endpoint['handler'],
  hooks: readonly OperationHooks[],
  reference: ServiceReference,
  { part, method }: Pick<HookedOperation, 'part' | 'method'>,
): Endpoint['handler'] {
  if (hooks.length === 0) return handler;
  const inner = [...hooks].reverse();
  const operation = Object.freeze({ service: reference.service, part, method });
  return async (event) => {
    const context = new HookedContext(event, reference, operation);
    try {
      return await complete(handler, event, hooks, inner, context);
    } catch (error) {
      return recover(error, inner, context);
    }
  };
}

async function complete(
  handler: Endpoint['handler'],
  event: MvcEvent,
  outer: readonly OperationHooks[],
  inner: readonly OperationHooks[],
  context: HookedContext,
): Promise<unknown> {
  for (const hook of outer) {
    const early = throwIfProblem(await hook.before?.(context));
    if (early !== undefined) return early;
  }
  const first: unknown = throwIfProblem(await handler(event));
  let result = first;
  try {
    for (const hook of inner) {
      // After a timeout or a disconnect, nobody gets the result.
      if (context.isAborted) break;
      const changed = throwIfProblem(await hook.after?.(result, context));
      if (changed === undefined || changed === result) continue;
      // Another stream may read the first one.
      if (!isReadLazily(changed)) discard(result);
      result = changed;
    }
  } catch (error) {
    discard(first);
    discard(result);
    throw error;
  }
  return result;
}

/** @throws the error, or that of a hook */
async function recover(
  error: unknown,
  inner: readonly OperationHooks[],
  context: HookedContext,
): Promise<unknown> {
  let failure = error;
  for (const hook of inner) {
    try {
      const result = throwIfProblem(await hook.onError?.(failure, context));
      if (result !== undefined) return result;
    } catch (other) {
      failure = other;
    }
  }
  throw failure;
}
