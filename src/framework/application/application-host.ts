import { isDeepStrictEqual } from 'node:util';
import { pathsWhere } from '../json-schema/schema-tree';
import { formatKeyPath, type KeyPath } from '../values/config-object';
import { ConfigurationError } from '../errors/configuration-error';
import type { Configuration } from '../config/configuration';
import type { Environment } from '../config/layers/environment';
import { LOCAL_FILE, type LayerOptions } from '../config/layers/layer';
import { LocalConfiguration, type ConfigurationRepository } from '../config/local-configuration';
import type { ProgramConfiguration } from '../config/layers/program-layer';
import { PassedConfiguration } from '../config/passed-configuration';
import type { SharedConfiguration } from '../config/shared-configuration';
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
import { loadModules, readModuleList } from './modules/load-modules';
import type { Module } from './modules/module';
import type { BuiltInModules, ListedModule } from './modules/module-list';
import type { ConfigurationSnapshot } from './configuration-snapshot';
import { snapshotLayers } from './configuration-snapshot';
import type { Replicas } from './replicas';
import { BuildTimeout } from './build-timeout';

export interface HostOptions {
  /** The absolute path of the folder with `config/`. */
  readonly root: string;
  readonly builtIn: BuiltInModules;
  /** Modules, or names of modules, in addition to those listed in `config/application.json`. */
  readonly modules?: readonly (Module | string)[];
  /** Configuration that overrides the files. */
  readonly program?: ProgramConfiguration | undefined;
  /**
   * Whether `root` is the folder of a project; defaults to true. If not, nothing is read from it but the files that the
   * configuration names.
   */
  readonly hasProject?: boolean;
  readonly environment: Environment;
  readonly sharedState?: SharedState;
  readonly log: Log;
  /** Maximum seconds for building an application while another one runs; defaults to 60. */
  readonly buildTimeout?: number;
}

/** Where the configuration of an application comes from. */
export interface BuildOptions extends LayerOptions {
  /**
   * Replaces all files and the environment.
   * @internal
   */
  readonly snapshot?: ConfigurationSnapshot | undefined;
  /**
   * Called with the configuration that was read, before the application is built. Returns whether files have changed
   * since, so that it is read again.
   * @internal
   */
  readonly revise?: ((configuration: Configuration) => Promise<boolean>) | undefined;
}

/** A built application that can be activated here and in all replicas. */
export interface PreparedActivation {
  activate(): Promise<ActivationResult>;
  /** Disposes of the application instead. */
  discard(): Promise<void>;
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
  /** The modules that were listed when a configuration was read. */
  readonly #listed = new WeakMap<Configuration, readonly ListedModule[]>();
  #replicas: Replicas | undefined;
  #reloadElsewhere: (() => Promise<ActivationResult>) | undefined;
  #shared: SharedConfiguration | undefined;

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
  async build(options: BuildOptions = {}): Promise<Application> {
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
    void next.start();
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

  /** Whether `root` is the folder of a project; otherwise a program passed the configuration. */
  get hasProject(): boolean {
    return this.#options.hasProject ?? true;
  }

  /** Whether an application has been activated. */
  get isActive(): boolean {
    return this.#current !== undefined;
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
    if (this.#reloadElsewhere !== undefined) return this.#reloadElsewhere();
    this.#pendingReload ??= this.exclusively(async () => {
      this.#pendingReload = undefined;
      return (await this.prepare(await this.build())).activate();
    });
    return this.#pendingReload;
  }

  /**
   * Builds an application with the same configuration in every replica, before any of them activates it.
   * @internal
   * @param candidate a built application; disposed of if a replica refuses
   * @throws ConfigurationError with the message of a replica that cannot build it; nothing has changed anywhere
   */
  async prepare(candidate: Application): Promise<PreparedActivation> {
    const replicas = await this.#replicas
      ?.prepare(this.snapshotOf(candidate))
      .catch(async (error: unknown) => {
        this.#reloads.failed++;
        await candidate.dispose();
        throw error;
      });
    return {
      activate: async () => {
        const result = this.activate(candidate);
        await replicas?.activate();
        return result;
      },
      discard: async () => {
        replicas?.discard();
        await candidate.dispose();
      },
    };
  }

  /**
   * Keeps other processes at the configuration of this one.
   * @internal
   */
  replicateTo(replicas: Replicas): void {
    this.#replicas = replicas;
  }

  /** `config/autoload/local.json` and its revisions. */
  get repository(): ConfigurationRepository {
    if (this.#shared !== undefined) return this.#shared.repository;
    return this.hasProject
      ? new LocalConfiguration(this.root)
      : new PassedConfiguration(this.#options.program?.source ?? 'ApplicationHost');
  }

  /** The configuration that this node shares with others; undefined if it has its own. */
  get shared(): SharedConfiguration | undefined {
    return this.#shared;
  }

  /**
   * Uses the configuration of a deployment.
   * @internal
   */
  share(shared: SharedConfiguration): void {
    this.#shared = shared;
  }

  /**
   * Passes calls of {@link reload} to the process that owns the configuration.
   * @internal
   */
  reloadElsewhere(reload: () => Promise<ActivationResult>): void {
    this.#reloadElsewhere = reload;
  }

  /**
   * Returns what another process needs to build an application with the same configuration.
   * @internal
   */
  snapshotOf({ configuration }: Application): ConfigurationSnapshot {
    return {
      modules: this.#listed.get(configuration) ?? [],
      layers: snapshotLayers(configuration.layers),
      warnings: configuration.warnings,
    };
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

  async #build({ revise, ...options }: BuildOptions): Promise<Application> {
    let { modules, configuration } = await this.#read(options);
    if ((await revise?.(configuration)) === true) ({ modules, configuration } = await this.#read(options));
    const { builtIn, log } = this.#options;
    return buildApplication({
      configuration,
      modules,
      sharedState: this.#sharedState,
      log,
      builtIn: Object.keys(builtIn),
    });
  }

  #parse(content: string | Buffer, shown: string): MaybePromise<JsonFile> {
    return runCooperatively(this.#json.parse(content, shown));
  }

  /** Loads the modules each time: the list may have changed, and module classes get a new instance. */
  async #read({
    snapshot,
    ...options
  }: BuildOptions): Promise<{ readonly modules: readonly Module[]; readonly configuration: Configuration }> {
    const { builtIn, environment, program, modules: additional = [] } = this.#options;
    const listed = snapshot?.modules ?? (this.hasProject ? await readModuleList(this.root) : []);
    const passedTo = program?.source;
    const loaded = await loadModules({ root: this.root, builtIn, additional, listed, passedTo });
    const modules = loaded.map(({ module }) => module);
    const layers = {
      ...options,
      layers: snapshot?.layers,
      program,
      hasFiles: this.hasProject,
      parse: (content: string | Buffer, shown: string) => this.#parse(content, shown),
    };
    const configuration = await loadConfiguration(this.root, modules, environment, layers);
    this.#listed.set(configuration, listed);
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
