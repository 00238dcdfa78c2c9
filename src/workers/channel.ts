import { ConfigurationError, isThenable, type MaybePromise, errorMessage } from '../framework';

/** The calls that one side of a channel handles, by name. */
export type CallTypes<T> = { readonly [K in keyof T]: { readonly input: unknown; readonly output: unknown } };

/** How messages are sent: `process` in a worker, a worker in the primary. */
export interface MessagePort {
  send(message: object): unknown;
  on(event: 'message', listener: (message: unknown) => void): unknown;
}

/** A call, or the result of one. */
type Item =
  | { readonly call: string; readonly id: number; readonly input: unknown }
  | { readonly result: number; readonly output: unknown }
  | { readonly failed: number; readonly message: string; readonly isConfiguration: boolean };

interface PendingCall {
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Distinguishes our messages from those of modules. */
const KEY = 'apidesc-platform';

/**
 * Typed calls between the primary and a worker. All calls and results of one turn of the event loop are one message,
 * which is written and read with one system call.
 */
export class Channel<Own extends CallTypes<Own>, Peer extends CallTypes<Peer>> {
  readonly #port: MessagePort;
  readonly #handlers = new Map<string, (input: never) => unknown>();
  readonly #pending = new Map<number, PendingCall>();
  readonly #flush = (): void => this.flush();
  #outgoing: Item[] = [];
  #lastId = 0;
  #closed: Error | undefined;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message) => this.#receive(message));
  }

  handle<K extends keyof Own & string>(
    name: K,
    handler: (input: Own[K]['input']) => MaybePromise<Own[K]['output']>,
  ): void {
    this.#handlers.set(name, handler);
  }

  /** @throws what the handler of the peer throws, or the reason why the channel was closed */
  call<K extends keyof Peer & string>(name: K, input: Peer[K]['input']): Promise<Peer[K]['output']> {
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const id = ++this.#lastId;
    this.#queue({ call: name, id, input });
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  /** Calls without waiting for the result. */
  notify<K extends keyof Peer & string>(name: K, input: Peer[K]['input']): void {
    if (this.#closed === undefined) this.#queue({ call: name, id: 0, input });
  }

  /** Rejects the pending calls and all further ones. */
  close(reason: Error): void {
    this.#closed ??= reason;
    this.#outgoing = [];
    for (const { reject } of this.#pending.values()) reject(reason);
    this.#pending.clear();
  }

  /** Sends what is queued now. */
  flush(): void {
    const items = this.#outgoing;
    if (items.length === 0) return;
    this.#outgoing = [];
    this.#port.send({ [KEY]: items });
  }

  #queue(item: Item): void {
    if (this.#outgoing.push(item) === 1) setImmediate(this.#flush);
  }

  #receive(message: unknown): void {
    const items = itemsOf(message);
    if (items === undefined || this.#closed !== undefined) return;
    for (const item of items) {
      if ('call' in item) this.#handle(item);
      else {
        const pending = this.#pending.get('result' in item ? item.result : item.failed);
        if ('result' in item) {
          this.#pending.delete(item.result);
          pending?.resolve(item.output);
        } else {
          this.#pending.delete(item.failed);
          pending?.reject(
            item.isConfiguration ? new ConfigurationError(item.message) : new Error(item.message),
          );
        }
      }
    }
    // The results of this message, without waiting for the end of the turn.
    this.flush();
  }

  #handle({ call, id, input }: Extract<Item, { call: string }>): void {
    const handler = this.#handlers.get(call);
    const succeed = (output: unknown): void => {
      if (id !== 0 && this.#closed === undefined) this.#queue({ result: id, output });
    };
    const fail = (error: unknown): void => {
      if (id === 0 || this.#closed !== undefined) return;
      const message = errorMessage(error);
      this.#queue({ failed: id, message, isConfiguration: error instanceof ConfigurationError });
    };
    try {
      if (handler === undefined) throw new TypeError(`Unknown call "${call}".`);
      // Both processes run this version: the input has the type of the call.
      const output = handler(input as never);
      if (isThenable(output)) output.then(succeed, fail);
      else succeed(output);
    } catch (error) {
      fail(error);
    }
  }
}

function itemsOf(message: unknown): readonly Item[] | undefined {
  if (typeof message !== 'object' || message === null || !(KEY in message)) return undefined;
  // Sent by `flush` of the other process.
  return message[KEY] as readonly Item[];
}
