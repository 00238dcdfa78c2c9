import type { Configuration } from '../../config/configuration';
import type { LayerOptions } from '../../config/layers/layer';
import { LocalConfiguration, type ConfigurationRepository } from '../../config/local-configuration';
import { PassedConfiguration } from '../../config/passed-configuration';
import type { SharedConfiguration } from '../../config/shared-configuration';
import { ConfigurationError } from '../../errors/configuration-error';
import type { JsonFile } from '../../json/json-file';
import { formatKeyPath } from '../../values/config-object';
import type { Application } from '../application';
import { ApplicationEvent } from '../events';
import { SharedState } from '../shared-state';
import type { ActivationResult, PreparedActivation } from './activation';
import { ApplicationBuilder } from './application-builder';
import { BuildTimeout } from './build-timeout';
import type { ConfigurationSnapshot } from './configuration-snapshot';
import type { BuildOptions, HostOptions } from './host-options';
import type { Replicas } from './replicas';
import { restartKeysChanged } from './restart-keys';
import { RetiringApplications } from './retiring-applications';

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
  readonly #builder: ApplicationBuilder;
  readonly #buildTimeout: BuildTimeout;
  readonly #listeners = new Set<(next: Application) => void>();
  readonly #retiring = new RetiringApplications();
  readonly #reloads = { succeeded: 0, failed: 0 };
  #current: Application | undefined;
  /** The configuration at startup, which decides what requires a restart. */
  #started: Configuration | undefined;
  #lastAction: Promise<unknown> = Promise.resolve();
  #pendingReload: Promise<ActivationResult> | undefined;
  #replicas: Replicas | undefined;
  #reloadElsewhere: (() => Promise<ActivationResult>) | undefined;
  #shared: SharedConfiguration | undefined;

  constructor(options: HostOptions) {
    this.root = options.root;
    this.#options = options;
    const sharedState = options.sharedState ?? new SharedState();
    this.#builder = new ApplicationBuilder(options, sharedState);
    this.#buildTimeout = new BuildTimeout(options.buildTimeout ?? 60);
    sharedState.getOrCreate(ApplicationHost, () => this);
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
  configuration(options: LayerOptions = {}): Promise<Configuration> {
    return this.#builder.configuration(options);
  }

  /**
   * Parses a text of `config/autoload/local.json` in steps, as it is read when an application is built.
   * @throws ConfigurationError for invalid text
   */
  parseLocal(text: string): Promise<JsonFile> {
    return this.#builder.parseLocal(text);
  }

  /**
   * Builds an application from the current configuration. The caller must `activate` it or `dispose` of it.
   * @throws ConfigurationError if the build fails; its resources are released
   */
  async build(options: BuildOptions = {}): Promise<Application> {
    if (this.#buildTimeout.isCancelled) throw new ConfigurationError(STOPPED);
    const building = this.#builder.build(options);
    // No timeout at startup: operators notice that it hangs, and some modules start slowly.
    if (this.#current === undefined) return building;
    return this.#buildTimeout.waitFor(building).catch((error: unknown) => {
      if (options.isProposed !== true) this.#reloads.failed++;
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
    if (this.#options.startsParts !== false) void next.start();
    for (const listener of this.#listeners) listener(next);
    if (old !== undefined && old !== next) {
      this.#reloads.succeeded++;
      void next.events.triggerEach('reload', new ApplicationEvent(next), (err) =>
        next.log.error({ err }, 'A listener for the event reload failed.'),
      );
      this.#retiring.add(old);
    }
    return { restart: this.restartKeysOf(next) };
  }

  /** Whether `root` is the folder of a project; otherwise a program passed the configuration. */
  get hasProject(): boolean {
    return this.#builder.hasProject;
  }

  /** Whether building an application may change the data of the project. */
  get changesData(): boolean {
    return this.#options.changesData ?? true;
  }

  /** Whether building an application creates the files that it writes later. */
  get createsFiles(): boolean {
    return this.#options.createsFiles ?? true;
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
   * @param options.isProposed as in {@link BuildOptions}
   * @throws ConfigurationError with the message of a replica that cannot build it; nothing has changed anywhere
   */
  async prepare(
    candidate: Application,
    options: Pick<BuildOptions, 'isProposed'> = {},
  ): Promise<PreparedActivation> {
    const replicas = await this.#replicas
      ?.prepare(this.snapshotOf(candidate))
      .catch(async (error: unknown) => {
        if (options.isProposed !== true) this.#reloads.failed++;
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
  snapshotOf(application: Application): ConfigurationSnapshot {
    return this.#builder.snapshotOf(application);
  }

  /** Runs an action mutually exclusive with reloads and other actions. Nested calls deadlock. */
  exclusively<T>(action: () => Promise<T>): Promise<T> {
    const result = this.#lastAction.then(action);
    this.#lastAction = result.catch(() => undefined);
    return result;
  }

  /** The number of requests without a complete response, including those of replaced applications. */
  get inFlight(): number {
    return this.#retiring.inFlightWith(this.#current);
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
    if (this.#current !== undefined) this.#retiring.add(this.#current);
    await this.#retiring.disposed();
  }
}
