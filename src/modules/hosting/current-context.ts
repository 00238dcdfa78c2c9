import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { isThenable, Response, type MvcEvent } from '../../framework';
import { EventContext, type HandlerContext } from './context';
import type { HostedEndpoint } from './hosted-endpoint';

const contexts = new AsyncLocalStorage<HandlerContext>();

/**
 * Returns the context of the current request, for code that cannot be passed one, such as a shared logger. Requires
 * `platform-hosting.context_storage: true`. Available in handlers, resources, validators, policies, the streams
 * they return, `links`, `embedded` and `toJSON` of entities, and listeners of `signal`.
 *
 * @throws Error outside a request, or if context storage is disabled
 * @example
 * const line = (text: string) => console.log(currentContext().requestId, text);
 */
export function currentContext(): HandlerContext {
  const context = contexts.getStore();
  if (context !== undefined) return context;
  throw new Error(
    'currentContext(): no current request. Set platform-hosting.context_storage to true to store the context of each request. ' +
      'If it is set, the call was made outside a request: at startup, or from a timer or connection that all requests share.',
  );
}

/** Returns the context of the current request; undefined outside a request. */
export function findCurrentContext(): HandlerContext | undefined {
  return contexts.getStore();
}

/**
 * Returns the endpoint with its functions run in the stored context of the request. Called only if context storage
 * is enabled, so that other applications pay nothing.
 */
export function withStoredContext<Endpoint extends HostedEndpoint>(endpoint: Endpoint): Endpoint {
  const { api, version, handler, validation, policy, negotiation } = endpoint;
  const inContext =
    <Args extends readonly unknown[], Result>(act: (event: MvcEvent, ...args: Args) => Result) =>
    (event: MvcEvent, ...args: Args): Result => {
      event.runInContext ??= runIn(new EventContext(event, api, version));
      return event.runInContext(() => act(event, ...args));
    };
  const { check } = validation;
  const { hypermedia } = negotiation;
  return {
    ...endpoint,
    handler: inContext((event) => bindStreams(handler(event))),
    negotiation:
      hypermedia === undefined
        ? negotiation
        : Object.freeze({ ...negotiation, hypermedia: inContext(hypermedia) }),
    validation: check === undefined ? validation : Object.freeze({ ...validation, check: inContext(check) }),
    policy: policy && Object.freeze({ ...policy, check: inContext(policy.check) }),
  };
}

/** Stored on the event for later phases: rendering entities, and the abort signal. */
function runIn(context: HandlerContext): NonNullable<MvcEvent['runInContext']> {
  return (act) => contexts.run(context, act);
}

/** A stream is read after the handler has returned: it must run in the context of its request. */
function bindStreams(result: unknown): unknown {
  if (isThenable(result)) return result.then(bindStreams);
  if (result instanceof Response && result.body instanceof Readable) bindToContext(result.body);
  return result;
}

/** Runs `_read` and `_destroy` of a stream in the current context. */
function bindToContext(stream: Readable): void {
  const inContext = AsyncLocalStorage.snapshot();
  const read = stream._read.bind(stream);
  const destroy = stream._destroy.bind(stream);
  stream._read = (size) => inContext(() => read(size));
  stream._destroy = (error, done) => inContext(() => destroy(error, done));
}
