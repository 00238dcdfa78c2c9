import mitt from 'mitt';
import { nameOfFunction } from './attached';
import { Attribution, type Attributed } from './attribution';
import { isThenable } from './maybe-promise';

/** Told what happened; its answer counts for nothing. */
export type Observer<T> = (what: T) => unknown;

/** What there is to tell about an observer. */
export interface ObserverDescription extends Attributed {
  /** What it is told of. */
  readonly event: string;
  readonly name: string;
}

/**
 * The onlookers, beside the listeners: they are told what happened and cannot answer, delay or break
 * anything. mitt lets one handler that throws keep the others from hearing; so each is wrapped when it
 * is added, and what it throws or rejects with goes to `failed`.
 */
export class Observers<M extends Record<keyof M, unknown>> {
  readonly #emitter = mitt<{ [K in keyof M & string]: M[K] }>();
  readonly #failed: (error: unknown, name: string) => void;

  readonly #attribution: Attribution;
  readonly #present = new Set<{ readonly event: string; readonly name: string; readonly by: Attributed }>();

  /** @param attribution shared with whatever else of an application has listeners */
  constructor(failed: (error: unknown, name: string) => void, attribution = new Attribution()) {
    this.#failed = failed;
    this.#attribution = attribution;
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
    const entry = {
      event: name,
      name: nameOfFunction(observer.name, observer.toString()) ?? 'anonymous',
      by: this.#attribution.here(),
    };
    this.#present.add(entry);
    this.#emitter.on(name, wrapped);
    return () => {
      this.#present.delete(entry);
      this.#emitter.off(name, wrapped);
    };
  }

  /** Whether anybody would be told. */
  isHeard(name: keyof M & string): boolean {
    return (this.#emitter.all.get(name)?.length ?? 0) > 0;
  }

  /** Every observer, in the order in which they came. */
  describe(): readonly ObserverDescription[] {
    return [...this.#present].map(({ event, name, by: { owner, source } }) => ({
      event,
      name,
      owner,
      source,
    }));
  }

  notify<K extends keyof M & string>(name: K, what: M[K]): void {
    this.#emitter.emit(name, what);
  }
}
