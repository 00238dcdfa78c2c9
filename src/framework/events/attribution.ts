import { siteOf, stackHere } from './call-site';
import { isThenable, type MaybePromise } from './maybe-promise';

/** The owner of what nobody else attaches. */
export const FRAMEWORK = 'framework';

/** Who attaches something, and where that stands written. */
export interface Attributed {
  /** The name of a module, or `framework`. */
  readonly owner: string;
  /** `file:line` of the code, or the place in configuration. */
  readonly source: string | undefined;
}

/**
 * Who attaches listeners at present, so that they can be told apart afterwards. One is shared by everything of an
 * application that has listeners.
 *
 * @example
 * await attribution.as({ owner: module.name }, () => module.onBootstrap(event));
 */
export class Attribution {
  #present: { readonly owner: string; readonly source?: string | undefined } = { owner: FRAMEWORK };

  /**
   * Attributes what is attached while an action runs; one that is asynchronous must be the only one at that time.
   * @param by `source` where it is not the code that attaches
   */
  as<T>(
    by: { readonly owner: string; readonly source?: string | undefined },
    action: () => MaybePromise<T>,
  ): MaybePromise<T> {
    const before = this.#present;
    this.#present = by;
    const restore = (): void => {
      this.#present = before;
    };
    let goesOn = false;
    try {
      const result = action();
      goesOn = isThenable(result);
      return goesOn ? Promise.resolve(result).finally(restore) : result;
    } finally {
      if (!goesOn) restore();
    }
  }

  /** Who attaches something here and now; the source is looked for when it is asked for. */
  here(): Attributed {
    const { owner, source } = this.#present;
    const stack = source === undefined ? stackHere() : '';
    return {
      owner,
      get source() {
        return source ?? siteOf(stack, owner === FRAMEWORK);
      },
    };
  }
}
