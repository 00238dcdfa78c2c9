import { AsyncLocalStorage } from 'node:async_hooks';
import { Readable } from 'node:stream';
import { isThenable, Response, type MvcEvent } from '../../framework';
import { EventContext, type HandlerContext } from './context';
import type { HostedEndpoint } from './hosted-endpoint';

const contexts = new AsyncLocalStorage<HandlerContext>();

/**
 * The context of the request that is at work, wherever its handler has called to: for what cannot be handed it, such
 * as a log that is shared with other programs. Kept where `platform-hosting.context_storage` is true, for handlers and
 * resources, validators, policies, the streams that they return, what is shown of entities (`links`, `embedded`,
 * `toJSON`), and listeners of `signal`.
 *
 * @throws Error where no context is kept
 * @example
 * const line = (text: string) => console.log(currentContext().requestId, text);
 */
export function currentContext(): HandlerContext {
  const context = contexts.getStore();
  if (context !== undefined) return context;
  throw new Error(
    'currentContext(): no request is known here. Set platform-hosting.context_storage to true, which lets what a request calls know it. ' +
      'If it is set, this was called by no request: at start, or by a timer or a connection that is there for all of them.',
  );
}

/** An operation whose context is kept while it is at work. What is compiled once costs nothing where nobody asks for it. */
export function withCurrentContext<Endpoint extends HostedEndpoint>(endpoint: Endpoint): Endpoint {
  const { api, version, handler, validation, policy, negotiation } = endpoint;
  const within =
    <Args extends readonly unknown[], Result>(act: (event: MvcEvent, ...args: Args) => Result) =>
    (event: MvcEvent, ...args: Args): Result => {
      event.within ??= runIn(new EventContext(event, api, version));
      return event.within(() => act(event, ...args));
    };
  const { check } = validation;
  const { hypermedia } = negotiation;
  return {
    ...endpoint,
    handler: within((event) => streamsWithin(handler(event))),
    negotiation:
      hypermedia === undefined
        ? negotiation
        : Object.freeze({ ...negotiation, hypermedia: within(hypermedia) }),
    validation: check === undefined ? validation : Object.freeze({ ...validation, check: within(check) }),
    policy: policy && Object.freeze({ ...policy, check: within(policy.check) }),
  };
}

/** Kept on the event, for what is done later: entities are shown, and the client leaves, when the handler has returned. */
function runIn(context: HandlerContext): NonNullable<MvcEvent['within']> {
  return (act) => contexts.run(context, act);
}

/** A stream is read when the handler has long returned, at the pace of the connection: it is told whose it is. */
function streamsWithin(result: unknown): unknown {
  if (isThenable(result)) return result.then(streamsWithin);
  if (result instanceof Response && result.body instanceof Readable) bind(result.body);
  return result;
}

/** What a stream is made of (`_read`, `_destroy`) is called as if the request that is at work now did it. */
function bind(stream: Readable): void {
  const within = AsyncLocalStorage.snapshot();
  const read = stream._read.bind(stream);
  const destroy = stream._destroy.bind(stream);
  stream._read = (size) => within(() => read(size));
  stream._destroy = (error, done) => within(() => destroy(error, done));
}
