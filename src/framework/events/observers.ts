import mitt from 'mitt';
import { describeValue } from '../text/describe-value';
import { functionName } from './listener-registration';
import { Attribution, type ListenerSource } from './attribution';
import { isThenable } from './maybe-promise';

/** Receives notifications. Its return value is ignored. */
export type Observer<T> = (notification: T) => unknown;

/** A description of an observer, for listings. */
export interface ObserverDescription extends ListenerSource {
  /** The name of the notification. */
  readonly event: string;
  readonly name: string;
}

/**
 * Notifies observers, which can neither respond nor delay nor break anything. With mitt, a handler that throws
 * prevents the others from being called; so each is wrapped, and its errors are passed to `onError`.
 */
export class Observers<M extends Record<keyof M, unknown>> {
  readonly #emitter = mitt<{ [K in keyof M & string]: M[K] }>();
  readonly #onError: (error: unknown, name: string) => void;
  readonly #attribution: Attribution;
  readonly #entries = new Set<{
    readonly event: string;
    readonly name: string;
    readonly by: ListenerSource;
  }>();

  /** @param attribution shared with the event managers of the application */
  constructor(onError: (error: unknown, name: string) => void, attribution = new Attribution()) {
    this.#onError = onError;
    this.#attribution = attribution;
  }

  /**
   * @returns a function that removes the observer
   * @throws TypeError for what is not a function: each notification would fail
   */
  observe<K extends keyof M & string>(name: K, observer: Observer<M[K]>): () => void {
    if (typeof observer !== 'function')
      throw new TypeError(`observe('${name}', observer) needs a function, not ${describeValue(observer)}.`);
    const wrapped = (notification: M[K]): void => {
      try {
        const result = observer(notification);
        if (isThenable(result)) result.then(undefined, (error: unknown) => this.#onError(error, name));
      } catch (error) {
        this.#onError(error, name);
      }
    };
    const entry = {
      event: name,
      name: functionName(observer.name, observer.toString()) ?? 'anonymous',
      by: this.#attribution.currentSource(),
    };
    this.#entries.add(entry);
    this.#emitter.on(name, wrapped);
    return () => {
      this.#entries.delete(entry);
      this.#emitter.off(name, wrapped);
    };
  }

  /** Returns whether there is an observer, for notifications that are expensive to create. */
  hasObservers(name: keyof M & string): boolean {
    return (this.#emitter.all.get(name)?.length ?? 0) > 0;
  }

  /**
   * Describes the observers, in the order of registration.
   * @param except notifications that are left out: the code locations of their observers are not resolved
   */
  describe(except: readonly string[] = []): readonly ObserverDescription[] {
    return [...this.#entries]
      .filter(({ event }) => !except.includes(event))
      .map(({ event, name, by: { owner, source } }) => ({ event, name, owner, source }));
  }

  notify<K extends keyof M & string>(name: K, notification: M[K]): void {
    this.#emitter.emit(name, notification);
  }
}
