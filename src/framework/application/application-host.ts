import { showPath } from '../config/tree';
import { StartError } from '../config/start-error';
import type { Configuration } from '../config/configuration';
import type { Environment } from '../config/environment';
import type { LayerOptions } from '../config/layer';
import type { Log } from '../mvc/log';
import type { Application } from './application';
import { buildApplication } from './build-application';
import { ApplicationEvent } from './events';
import { Lasting } from './lasting';
import { loadConfiguration } from './load-configuration';
import { inOrder, loadModules, type BuiltInModules } from './load-modules';
import type { Module } from './module';
import { Patience } from './patience';
import { changedForRestart } from './restart-keys';

export interface HostOptions {
  /** The folder that holds `config/`; absolute. */
  readonly root: string;
  readonly builtIn: BuiltInModules;
  /** Modules beside those that `config/application.json` lists. */
  readonly modules?: readonly Module[];
  readonly environment: Environment;
  readonly lasting?: Lasting;
  readonly log: Log;
  /** Seconds that an application built beside the running one may take to be ready; 60 unless told. */
  readonly buildTimeout?: number;
}

/** What putting an application in place has left undone. */
export interface PutOutcome {
  /** The key paths whose new value only a restart takes up, such as `server.port`. */
  readonly restart: readonly string[];
}

const STOPPED = 'The service has stopped: no other application takes its place.';

/**
 * Holds the running application, builds others beside it and puts them in its place. What fails to be built
 * changes nothing: the running one goes on.
 *
 * @example
 * const host = application.lasting.find(ApplicationHost);
 * await host?.reload();
 */
export class ApplicationHost {
  readonly root: string;
  readonly #options: HostOptions;
  readonly #lasting: Lasting;
  readonly #patience: Patience;
  readonly #listeners = new Set<(next: Application) => void>();
  /** Applications that were replaced, and still answer their last requests. */
  readonly #leaving = new Set<Promise<void>>();
  #current: Application | undefined;
  /** What the process was started with, which decides what only a restart changes. */
  #started: Configuration | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #waiting: Promise<PutOutcome> | undefined;

  constructor(options: HostOptions) {
    this.root = options.root;
    this.#options = options;
    this.#lasting = options.lasting ?? new Lasting();
    this.#patience = new Patience(options.buildTimeout ?? 60);
    this.#lasting.keep(ApplicationHost, () => this);
  }

  /** The running application. @throws TypeError before the first was put in place */
  get current(): Application {
    if (this.#current === undefined) throw new TypeError('No application was put in place yet.');
    return this.#current;
  }

  /**
   * The configuration as the files say it now, without an application.
   * @throws StartError that tells every error
   */
  async configuration(options: LayerOptions = {}): Promise<Configuration> {
    return (await this.#read(options)).configuration;
  }

  /**
   * Builds an application from what the files say now; `put` it, or `dispose` of it.
   * @throws StartError; what a failed build had opened is closed again
   */
  async build(options: LayerOptions = {}): Promise<Application> {
    if (this.#patience.ended) throw new StartError(STOPPED);
    const building = this.#build(options);
    // Whoever starts the service sees that it hangs, and some starts have to take their time.
    return this.#current === undefined ? building : this.#patience.waitFor(building);
  }

  /**
   * Puts an application in place: new requests are its own from now on. The old one is disposed of when its
   * last request is answered, and `reload` is triggered on the new one; neither is awaited.
   * @throws StartError when the service has stopped
   */
  put(next: Application): PutOutcome {
    if (this.#patience.ended) {
      void next.dispose();
      throw new StartError(STOPPED);
    }
    const old = this.#current;
    this.#current = next;
    this.#started ??= next.configuration;
    for (const listener of this.#listeners) listener(next);
    if (old !== undefined && old !== next) {
      void next.events.triggerEach('reload', new ApplicationEvent(next), (err) =>
        next.log.error({ err }, 'A listener of the event reload failed.'),
      );
      this.#retire(old);
    }
    return { restart: this.needsRestart(next) };
  }

  /** The key paths whose value in an application only a restart would take up. */
  needsRestart(candidate: Application): readonly string[] {
    if (this.#started === undefined) return [];
    return changedForRestart(this.#started, candidate.configuration).map(showPath);
  }

  /**
   * Builds from what the files say now, and puts in place. Whoever asks while one waits for its turn gets the
   * outcome of that one: it reads the files when its turn has come.
   * @throws StartError; the running application then goes on
   */
  reload(): Promise<PutOutcome> {
    this.#waiting ??= this.exclusively(async () => {
      this.#waiting = undefined;
      return this.put(await this.build());
    });
    return this.#waiting;
  }

  /** Runs an action while no reload and no other action runs. An action must not wait for another. */
  exclusively<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(action);
    this.#turn = result.catch(() => undefined);
    return result;
  }

  /** @returns ends it again */
  onPut(listener: (next: Application) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends: builds under way come to nothing, and every application is put away when its requests are answered. */
  async close(): Promise<void> {
    this.#patience.end();
    if (this.#current !== undefined) this.#retire(this.#current);
    await Promise.all(this.#leaving);
  }

  #retire(application: Application): void {
    const gone = application.dispose().finally(() => this.#leaving.delete(gone));
    this.#leaving.add(gone);
  }

  async #build(options: LayerOptions): Promise<Application> {
    const { modules, configuration } = await this.#read(options);
    const { log } = this.#options;
    return buildApplication({ configuration, modules, lasting: this.#lasting, log });
  }

  /** Modules are loaded each time: the list may name others, and those that are classes keep nothing of before. */
  async #read(
    options: LayerOptions,
  ): Promise<{ readonly modules: readonly Module[]; readonly configuration: Configuration }> {
    const { builtIn, environment, modules: given = [] } = this.#options;
    const modules = inOrder([...(await loadModules(this.root, builtIn)), ...given]);
    return { modules, configuration: await loadConfiguration(this.root, modules, environment, options) };
  }
}
