import type { Application } from '../application';
import type { BackgroundRuns } from './background-runs';
import { millisecondsOf, type BackgroundTask } from './background-task';

/** A task, and the application whose services it uses. */
interface CurrentTask {
  readonly task: BackgroundTask;
  readonly module: string;
  readonly application: Application;
}

/**
 * The schedules of the tasks of modules, by module and name. A schedule survives reloads, and uses the task and the
 * application that are active when a run begins.
 */
export class Schedules {
  readonly #runs: BackgroundRuns;
  readonly #schedules = new Map<string, Schedule>();
  readonly #abort = new AbortController();

  constructor(runs: BackgroundRuns) {
    this.#runs = runs;
  }

  /** Schedules the tasks of the active application instead of those of the one before. */
  use(application: Application): void {
    if (this.#abort.signal.aborted) return;
    const tasks = new Map(
      application.modules.flatMap(({ name: module, tasks = [] }) =>
        tasks.map((task) => [JSON.stringify([module, task.name]), { task, module, application }] as const),
      ),
    );
    for (const key of tasks.keys())
      if (!this.#schedules.has(key)) this.#schedules.set(key, new Schedule(this.#runs, this.#abort.signal));
    for (const [key, schedule] of this.#schedules) schedule.use(tasks.get(key));
  }

  /** Begins no more runs, and aborts the signals of those that have not ended. */
  stop(): void {
    this.#abort.abort();
    for (const schedule of this.#schedules.values()) schedule.use(undefined);
  }
}

/** The schedule of one task: runs never overlap. */
class Schedule {
  readonly #runs: BackgroundRuns;
  readonly #signal: AbortSignal;
  #current: CurrentTask | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isRunning = false;

  constructor(runs: BackgroundRuns, signal: AbortSignal) {
    this.#runs = runs;
    this.#signal = signal;
  }

  /** @param next undefined for a task that no longer exists */
  use(next: CurrentTask | undefined): void {
    const previous = this.#current;
    this.#current = next;
    if (next === undefined) clearTimeout(this.#timer);
    // A run that has not ended plans the next one.
    if (next === undefined || this.#isRunning) return;
    if (previous === undefined) this.#plan(next.task.immediately === true ? 0 : intervalOf(next));
    else if (intervalOf(previous) !== intervalOf(next)) this.#plan(intervalOf(next));
  }

  #plan(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#run(), ms).unref();
  }

  async #run(): Promise<void> {
    if (this.#current === undefined || this.#isRunning) return;
    const { task, module, application } = this.#current;
    const startedAt = performance.now();
    this.#isRunning = true;
    const log = application.logOf(module);
    const context = { signal: this.#signal, services: application.services, log };
    await this.#runs.run(application, { name: task.name, module }, log, () => task.run(context));
    this.#isRunning = false;
    this.#planNext(performance.now() - startedAt);
  }

  /** At the next multiple of the interval since the last run began. */
  #planNext(elapsed: number): void {
    if (this.#current === undefined) return;
    const interval = intervalOf(this.#current);
    this.#plan(interval - (elapsed % interval));
  }
}

function intervalOf({ task }: CurrentTask): number {
  const ms = millisecondsOf(task.every);
  if (ms === undefined) throw new TypeError(`The task "${task.name}" has an invalid interval.`);
  return ms;
}
