import { callSite, captureStack } from './call-site';
import { isThenable, type MaybePromise } from './maybe-promise';

/** The owner of the listeners that no module attaches. */
export const FRAMEWORK = 'framework';

/** The owner of the listeners that any code attaches after the application was built. */
const RUNTIME = 'runtime';

/** The origin of a listener. */
export interface ListenerSource {
  /** The name of a module, `framework`, or `runtime`. */
  readonly owner: string;
  /** `file:line` in the code, or the location in the configuration. */
  readonly source: string | undefined;
}

/**
 * Tracks which module is attaching listeners, for the listings of listeners. Shared by all event managers and
 * observers of an application.
 *
 * @example
 * await attribution.as({ owner: module.name }, () => module.onBootstrap(event));
 */
export class Attribution {
  #current: { readonly owner: string; readonly source?: string | undefined } = { owner: FRAMEWORK };

  /**
   * Attributes the listeners that an action attaches. Asynchronous actions must not overlap.
   * @param by `source` defaults to the code that attaches a listener
   */
  as<T>(
    by: { readonly owner: string; readonly source?: string | undefined },
    action: () => MaybePromise<T>,
  ): MaybePromise<T> {
    const before = this.#current;
    this.#current = by;
    const restore = (): void => {
      this.#current = before;
    };
    let isAsync = false;
    try {
      const result = action();
      isAsync = isThenable(result);
      return isAsync ? Promise.resolve(result).finally(restore) : result;
    } finally {
      if (!isAsync) restore();
    }
  }

  /** Attributes all further listeners to {@link RUNTIME}. */
  endBuild(): void {
    this.#current = { owner: RUNTIME };
  }

  /** Returns the source of a listener that is being attached. The code location is resolved on first access. */
  currentSource(): ListenerSource {
    const { owner, source } = this.#current;
    const isFramework = owner === FRAMEWORK;
    const stack = source === undefined ? captureStack(isFramework) : '';
    return {
      owner,
      get source() {
        return source ?? callSite(stack, isFramework);
      },
    };
  }
}
