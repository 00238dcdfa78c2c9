import type { MaybePromise } from '../../events/maybe-promise';
import type { Log } from '../../logging/log';

/** An application that is not disposed of while it is held. */
interface Holdable {
  /** @returns a function that ends it */
  hold(): () => void;
}

/** What runs, for the log. */
export interface RunName {
  readonly name: string;
  readonly module?: string;
}

/** Runs an action outside a context that ends with a request, at once or when that has ended. */
type Leave = (act: () => unknown) => unknown;

/** Process-wide like the contexts: they follow the calls of a thread. */
const leaves: Leave[] = [];

/** Has background work run outside a context of the request that begins it, such as a transaction that ends before. */
export function leaveInBackground(leave: Leave): void {
  leaves.push(leave);
}

/** Runs background work. It keeps all other contexts, such as that of a trace. */
function inBackground(act: () => unknown): unknown {
  return leaves.reduce<() => unknown>((inner, leave) => () => leave(inner), act)();
}

/** How long runs have to react to the abortion of their signal, in milliseconds. */
const GRACE_MS = 1_000;

/** All runs of tasks and of other background work in this process, which survive reloads of the configuration. */
export class BackgroundRuns {
  /** Each with the function that releases its application. */
  readonly #running = new Map<
    Promise<void>,
    { readonly name: RunName; readonly log: Log; readonly release: () => void }
  >();
  readonly #abort = new AbortController();
  #isClosed = false;

  /** The signal of work that nothing else ends: aborted when it has used up the time of the shutdown. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /**
   * Runs an action that the application stays alive for. An error is logged.
   * @returns when it has ended; never rejects
   */
  run(application: Holdable, name: RunName, log: Log, act: () => MaybePromise<unknown>): Promise<void> {
    if (this.#isClosed) {
      log.error(name, 'Background work was not begun: the service has stopped.');
      return Promise.resolve();
    }
    const release = application.hold();
    // In a task of its own: the caller is not delayed.
    const ended = Promise.resolve()
      .then(() => inBackground(act))
      .then(
        () => undefined,
        (err: unknown) => log.error({ err, ...name }, 'Background work failed.'),
      )
      .finally(() => {
        this.#running.delete(ended);
        release();
      });
    this.#running.set(ended, { name, log, release });
    return ended;
  }

  /**
   * Limits how long runs delay a shutdown, which waits for the applications that they hold.
   *
   * @param ms milliseconds until the signal is aborted
   * @returns a function to call after the shutdown: nothing more is begun
   */
  closeAfter(ms: number): () => void {
    let timer = setTimeout(() => {
      this.#abort.abort();
      timer = setTimeout(() => this.#abandon(), GRACE_MS);
    }, ms);
    return () => {
      clearTimeout(timer);
      this.#isClosed = true;
    };
  }

  #abandon(): void {
    this.#isClosed = true;
    for (const { name, log, release } of this.#running.values()) {
      log.error(name, 'Background work did not end within server.shutdown_timeout.');
      release();
    }
  }
}
