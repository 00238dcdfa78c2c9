import { isDeepStrictEqual } from 'node:util';
import { pathsWhere } from '../json-schema/schema-tree';
import { formatKeyPath, type KeyPath } from '../values/config-object';
import { ConfigurationError } from '../errors/configuration-error';
import type { Configuration } from '../config/configuration';
import type { Environment } from '../config/layers/environment';
import { LOCAL_FILE, type LayerOptions } from '../config/layers/layer';
import { runCooperatively } from '../events/cooperative';
import type { MaybePromise } from '../events/maybe-promise';
import { JsonCache } from '../json/json-cache';
import type { JsonFile } from '../json/json-file';
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

export interface HostOptions {
  /** The absolute path of the folder with `config/`. */
  readonly root: string;
  readonly builtIn: BuiltInModules;
  /** Modules in addition to those listed in `config/application.json`. */
  readonly modules?: readonly Module[];
  readonly environment: Environment;
  readonly sharedState?: SharedState;
  readonly log: Log;
  /** Maximum seconds for building an application while another one runs; defaults to 60. */
  readonly buildTimeout?: number;
}

/** The result of activating an application. */
export interface ActivationResult {
  /** Changed key paths that require a restart, such as `server.port`. */
  readonly restart: readonly string[];
}

const STOPPED = 'The service has stopped: no application can be activated.';

/**
 * Owns the active application, and builds and activates new ones. A failed build leaves the active application
 * unchanged.
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
  readonly #json = new JsonCache();
  readonly #listeners = new Set<(next: Application) => void>();
  /** Replaced applications with requests in flight, and when they are disposed of. */
  readonly #retiring = new Map<Application, Promise<void>>();
  readonly #reloads = { succeeded: 0, failed: 0 };
  #current: Application | undefined;
  /** The configuration at startup, which decides what requires a restart. */
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

  /** The active application. @throws TypeError before the first activation */
  get current(): Application {
    if (this.#current === undefined) throw new TypeError('No application is active yet.');
    return this.#current;
  }

  /**
   * Reads the current configuration, without building an application.
   * @throws ConfigurationError with all errors
   */
  async configuration(options: LayerOptions = {}): Promise<Configuration> {
    return (await this.#read(options)).configuration;
  }

  /**
   * Parses a text of `config/autoload/local.json` in steps, as it is read when an application is built.
   * @throws ConfigurationError for invalid text
   */
  async parseLocal(text: string): Promise<JsonFile> {
    return await this.#parse(text, LOCAL_FILE);
  }

  /**
   * Builds an application from the current configuration. The caller must `activate` it or `dispose` of it.
   * @throws ConfigurationError if the build fails; its resources are released
   */
  async build(options: LayerOptions = {}): Promise<Application> {
    if (this.#buildTimeout.isCancelled) throw new ConfigurationError(STOPPED);
    const building = this.#build(options);
    // No timeout at startup: operators notice that it hangs, and some modules start slowly.
    if (this.#current === undefined) return building;
    return this.#buildTimeout.waitFor(building).catch((error: unknown) => {
      this.#reloads.failed++;
      throw error;
    });
  }

  /**
   * Activates an application: it handles all further requests. Triggers `reload` on it, and disposes of the old one
   * after its last response; neither is awaited.
   * @throws ConfigurationError if the service has stopped
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
      this.#reloads.succeeded++;
      void next.events.triggerEach('reload', new ApplicationEvent(next), (err) =>
        next.log.error({ err }, 'A listener of the event reload failed.'),
      );
      this.#retire(old);
    }
    return { restart: this.restartKeysOf(next) };
  }

  /** Returns the key paths that differ from the startup configuration and require a restart. */
  restartKeysOf(candidate: Application): readonly string[] {
    if (this.#started === undefined) return [];
    return restartKeysChanged(this.#started, candidate.configuration).map(formatKeyPath);
  }

  /**
   * Builds and activates an application from the current configuration. Calls during a pending reload share its
   * result: a reload reads the files only when it starts.
   * @throws ConfigurationError if the build fails; the active application is unchanged
   */
  reload(): Promise<ActivationResult> {
    this.#pendingReload ??= this.exclusively(async () => {
      this.#pendingReload = undefined;
      return this.activate(await this.build());
    });
    return this.#pendingReload;
  }

  /** Runs an action mutually exclusive with reloads and other actions. Nested calls deadlock. */
  exclusively<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#lastAction.then(action);
    this.#lastAction = result.catch(() => undefined);
    return result;
  }

  /** The number of requests without a complete response, including those of replaced applications. */
  get inFlight(): number {
    const retiring = [...this.#retiring.keys()].filter((one) => one !== this.#current);
    return retiring.reduce((sum, one) => sum + one.inFlight, this.#current?.inFlight ?? 0);
  }

  /** How many applications replaced another one, and how many builds failed meanwhile. */
  get reloads(): { readonly succeeded: number; readonly failed: number } {
    return this.#reloads;
  }

  /** Calls a listener after each activation. @returns a function that removes it */
  onActivate(listener: (next: Application) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Cancels builds, and disposes of all applications after their last responses. */
  async close(): Promise<void> {
    this.#buildTimeout.cancel();
    if (this.#current !== undefined) this.#retire(this.#current);
    await Promise.all(this.#retiring.values());
  }

  #retire(application: Application): void {
    const disposal = application.dispose().finally(() => this.#retiring.delete(application));
    this.#retiring.set(application, disposal);
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

  #parse(text: string, shown: string): MaybePromise<JsonFile> {
    return runCooperatively(this.#json.parse(text, shown));
  }

  /** Loads the modules each time: the list may have changed, and module classes get a new instance. */
  async #read(
    options: LayerOptions,
  ): Promise<{ readonly modules: readonly Module[]; readonly configuration: Configuration }> {
    const { builtIn, environment, modules: additional = [] } = this.#options;
    const loaded = await loadModules({ root: this.root, builtIn, additional });
    const modules = loaded.map(({ module }) => module);
    const layers = { ...options, parse: (text: string, shown: string) => this.#parse(text, shown) };
    const configuration = await loadConfiguration(this.root, modules, environment, layers);
    return { modules, configuration };
  }
}

/** Returns the paths that require a restart and whose values differ between two configurations. */
function restartKeysChanged(started: Configuration, next: Configuration): readonly KeyPath[] {
  const paths = new Map(
    [...started.schemas, ...next.schemas]
      .flatMap(([key, schema]) => pathsWhere(schema, [key], ({ restart }) => restart === true))
      // The entries of maps are not compared.
      .filter((path) => !path.includes('*'))
      .map((path) => [JSON.stringify(path), path]),
  );
  return [...paths.values()].filter((path) => !isDeepStrictEqual(started.valueAt(path), next.valueAt(path)));
}
