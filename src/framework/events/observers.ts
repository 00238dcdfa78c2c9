import mitt from 'mitt';
import { isThenable } from './maybe-promise';

/** Told what happened; its answer counts for nothing. */
export type Observer<T> = (what: T) => unknown;

/**
 * The onlookers, beside the listeners: they are told what happened and cannot answer, delay or break
 * anything. mitt lets one handler that throws keep the others from hearing; so each is wrapped when it
 * is added, and what it throws or rejects with goes to `failed`.
 */
export class Observers<M extends Record<keyof M, unknown>> {
  readonly #emitter = mitt<{ [K in keyof M & string]: M[K] }>();
  readonly #failed: (error: unknown, name: string) => void;

  constructor(failed: (error: unknown, name: string) => void) {
    this.#failed = failed;
  }

  /** @returns ends the observation */
  observe<K extends keyof M & string>(name: K, observer: Observer<M[K]>): () => void {
    const wrapped = (what: M[K]): void => {
      try {
        const result = observer(what);
        if (isThenable(result)) result.then(undefined, (error: unknown) => this.#failed(error, name));
      } catch (error) {
        this.#failed(error, name);
      }
    };
    this.#emitter.on(name, wrapped);
    return () => this.#emitter.off(name, wrapped);
  }

  notify<K extends keyof M & string>(name: K, what: M[K]): void {
    this.#emitter.emit(name, what);
  }
}
