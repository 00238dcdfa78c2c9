import { formatKeyPath } from '../values/config-object';
import { ConfigurationError } from '../errors/configuration-error';
import type { Configuration } from '../config/configuration';
import type { Environment } from '../config/layers/environment';
import type { LayerOptions } from '../config/layers/layer';
import type { Log } from '../logging/log';
import type { Application } from './application';
import { buildApplication } from './build-application';
import { ApplicationEvent } from './events';
import { SharedState } from './shared-state';
import { loadConfiguration } from './load-configuration';
import { loadModules } from './modules/load-modules';
import type { Module } from './modules/module';
import type { BuiltInModules } from './modules/module-list';
import { BuildTimeout } from './build-timeout';
import { restartKeysChanged } from './restart-keys';

export interface HostOptions {
  /** The folder that holds `config/`; absolute. */
  readonly root: string;
  readonly builtIn: BuiltInModules;
  /** Modules beside those that `config/application.json` lists. */
  readonly modules?: readonly Module[];
  readonly environment: Environment;
  readonly sharedState?: SharedState;
  readonly log: Log;
  /** Seconds that an application built beside the running one may take to be ready; 60 unless told. */
  readonly buildTimeout?: number;
}

/** What putting an application in place has left undone. */
export interface ActivationResult {
  /** The key paths whose new value only a restart takes up, such as `server.port`. */
  readonly restart: readonly string[];
}

const STOPPED = 'The service has stopped: no application can be activated.';

/**
 * Holds the running application, builds others beside it and puts them in its place. What fails to be built
 * changes nothing: the running one goes on.
 *
 * @example
 * const host = application.sharedState.find(ApplicationHost);
 * await host?.reload();
 */
export class ApplicationHost {
  readonly root: string;
  readonly #options: HostOptions;
  readonly #sharedState: SharedState;
  readonly #buildTimeout: BuildTimeout;
  readonly #listeners = new Set<(next: Application) => void>();
  /** Applications that were replaced, and still answer their last requests. */
  readonly #retiring = new Set<Promise<void>>();
  #current: Application | undefined;
  /** What the process was started with, which decides what only a restart changes. */
  #started: Configuration | undefined;
  #lastAction: Promise<unknown> = Promise.resolve();
  #pendingReload: Promise<ActivationResult> | undefined;

  constructor(options: HostOptions) {
    this.root = options.root;
    this.#options = options;
    this.#sharedState = options.sharedState ?? new SharedState();
    this.#buildTimeout = new BuildTimeout(options.buildTimeout ?? 60);
    this.#sharedState.getOrCreate(ApplicationHost, () => this);
  }

  /** The running application. @throws TypeError before the first was put in place */
  get current(): Application {
    if (this.#current === undefined) throw new TypeError('No application is active yet.');
    return this.#current;
  }

  /**
   * The configuration as the files say it now, without an application.
   * @throws ConfigurationError that tells every error
   */
  async configuration(options: LayerOptions = {}): Promise<Configuration> {
    return (await this.#read(options)).configuration;
  }

  /**
   * Builds an application from what the files say now; `put` it, or `dispose` of it.
   * @throws ConfigurationError; what a failed build had opened is closed again
   */
  async build(options: LayerOptions = {}): Promise<Application> {
    if (this.#buildTimeout.isCancelled) throw new ConfigurationError(STOPPED);
    const building = this.#build(options);
    // Whoever starts the service sees that it hangs, and some starts have to take their time.
    return this.#current === undefined ? building : this.#buildTimeout.waitFor(building);
  }

  /**
   * Puts an application in place: new requests are its own from now on. The old one is disposed of when its
   * last request is answered, and `reload` is triggered on the new one; neither is awaited.
   * @throws ConfigurationError when the service has stopped
   */
  activate(next: Application): ActivationResult {
    if (this.#buildTimeout.isCancelled) {
      void next.dispose();
      throw new ConfigurationError(STOPPED);
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
    return { restart: this.restartKeysOf(next) };
  }

  /** The key paths whose value in an application only a restart would take up. */
  restartKeysOf(candidate: Application): readonly string[] {
    if (this.#started === undefined) return [];
    return restartKeysChanged(this.#started, candidate.configuration).map(formatKeyPath);
  }

  /**
   * Builds from what the files say now, and puts in place. Whoever asks while one waits for its turn gets the
   * outcome of that one: it reads the files when its turn has come.
   * @throws ConfigurationError; the running application then goes on
   */
  reload(): Promise<ActivationResult> {
    this.#pendingReload ??= this.exclusively(async () => {
      this.#pendingReload = undefined;
      return this.activate(await this.build());
    });
    return this.#pendingReload;
  }

  /** Runs an action while no reload and no other action runs. An action must not wait for another. */
  exclusively<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#lastAction.then(action);
    this.#lastAction = result.catch(() => undefined);
    return result;
  }

  /** @returns ends it again */
  onActivate(listener: (next: Application) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Ends: builds under way come to nothing, and every application is put away when its requests are answered. */
  async close(): Promise<void> {
    this.#buildTimeout.cancel();
    if (this.#current !== undefined) this.#retire(this.#current);
    await Promise.all(this.#retiring);
  }

  #retire(application: Application): void {
    const gone = application.dispose().finally(() => this.#retiring.delete(gone));
    this.#retiring.add(gone);
  }

  async #build(options: LayerOptions): Promise<Application> {
    const { modules, configuration } = await this.#read(options);
    const { builtIn, log } = this.#options;
    return buildApplication({
      configuration,
      modules,
      sharedState: this.#sharedState,
      log,
      builtIn: Object.keys(builtIn),
    });
  }

  /** Modules are loaded each time: the list may name others, and those that are classes keep nothing of before. */
  async #read(
    options: LayerOptions,
  ): Promise<{ readonly modules: readonly Module[]; readonly configuration: Configuration }> {
    const { builtIn, environment, modules: given = [] } = this.#options;
    const loaded = await loadModules({ root: this.root, builtIn, given });
    const modules = loaded.map(({ module }) => module);
    return { modules, configuration: await loadConfiguration(this.root, modules, environment, options) };
  }
}
