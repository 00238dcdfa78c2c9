import { EventEmitter, on } from 'node:events';
import { defineRpcService, ServerSentEvent, Type } from 'apidesc-platform';
import type { HandlerContext, OperationContext, OperationHooks, Static } from 'apidesc-platform';

const change = Type.Object({
  service: Type.String({ examples: ['Issue'] }),
  method: Type.String({ examples: ['PATCH'] }),
  issue_id: Type.Optional(Type.Integer()),
});
type Change = Static<typeof change>;

/** Tells all connected clients of changes. It survives reloads of the configuration, as their connections do. */
export class Changes {
  readonly #emitter = new EventEmitter().setMaxListeners(0);

  publish(change: Change): void {
    this.#emitter.emit('change', change);
  }

  /** Listens at once. The iteration ends when the signal is aborted. */
  listen(signal: AbortSignal): AsyncIterable<Change> {
    return untilAborted(on(this.#emitter, 'change', { signal }), signal);
  }
}

async function* untilAborted(events: AsyncIterable<unknown[]>, signal: AbortSignal): AsyncGenerator<Change> {
  try {
    for await (const [change] of events) yield change as Change;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
}

/** Hooks of the API: every operation that changes something is published after its transaction. */
export const publishing = (changes: Changes): OperationHooks => ({
  after(result, { operation, parameters }: OperationContext) {
    const { method, service } = operation;
    if (['GET', 'QUERY'].includes(method)) return;
    const id = parameters.issue_id ?? (service === 'Issue' ? (result as { id: number }).id : undefined);
    changes.publish({ service, method, ...(id === undefined ? {} : { issue_id: Number(id) }) });
  },
});

/** Container names. */
export const PUBLISHING = 'tracker.publishing';
export const LISTEN = 'tracker.listen';

export const Change = defineRpcService({
  description: 'The changes of projects, issues, comments and attachments, as they happen.',
  route: '/changes',
  methods: {
    GET: {
      description: 'Streams changes. Browsers read them with EventSource.',
      stream: ['text/event-stream', 'application/x-ndjson'],
      response: change,
      handler: LISTEN,
    },
  },
});

export const listen =
  (changes: Changes) =>
  ({ signal }: HandlerContext) =>
    toEvents(changes.listen(signal));

async function* toEvents(changes: AsyncIterable<Change>): AsyncGenerator<ServerSentEvent<Change>> {
  for await (const one of changes) yield new ServerSentEvent(one, { event: 'change' });
}
