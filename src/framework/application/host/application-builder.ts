import type { Configuration } from '../../config/configuration';
import { LOCAL_FILE, type LayerOptions } from '../../config/layers/layer';
import { runCooperatively } from '../../events/cooperative';
import type { MaybePromise } from '../../events/maybe-promise';
import { JsonCache } from '../../json/json-cache';
import type { JsonFile } from '../../json/json-file';
import type { Application } from '../application';
import { buildApplication } from '../build-application';
import { loadConfiguration } from '../load-configuration';
import { loadModules, readModuleList } from '../modules/load-modules';
import type { Module } from '../modules/module';
import type { ListedModule } from '../modules/module-list';
import type { SharedState } from '../shared-state';
import { snapshotLayers, type ConfigurationSnapshot } from './configuration-snapshot';
import type { BuildOptions, HostOptions } from './host-options';

/** Reads the current configuration, and builds applications from it. */
export class ApplicationBuilder {
  readonly #options: HostOptions;
  readonly #sharedState: SharedState;
  readonly #json = new JsonCache();
  /** The modules that were listed when a configuration was read. */
  readonly #listed = new WeakMap<Configuration, readonly ListedModule[]>();

  constructor(options: HostOptions, sharedState: SharedState) {
    this.#options = options;
    this.#sharedState = sharedState;
  }

  /** Whether the configuration is read from the files of a project; otherwise a program passed it. */
  get hasProject(): boolean {
    return this.#options.hasProject ?? true;
  }

  /** @throws ConfigurationError with all errors */
  async configuration(options: LayerOptions): Promise<Configuration> {
    return (await this.#read(options)).configuration;
  }

  /** Parses a text of `config/autoload/local.json` in steps. @throws ConfigurationError for invalid text */
  async parseLocal(text: string): Promise<JsonFile> {
    return await this.#parse(text, LOCAL_FILE);
  }

  /** @throws ConfigurationError if the build fails; its resources are released */
  async build({ revise, ...options }: BuildOptions): Promise<Application> {
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

  /** Returns what another process needs to build an application with the same configuration. */
  snapshotOf({ configuration }: Application): ConfigurationSnapshot {
    return {
      modules: this.#listed.get(configuration) ?? [],
      layers: snapshotLayers(configuration.layers),
      warnings: configuration.warnings,
    };
  }

  #parse(content: string | Buffer, shown: string): MaybePromise<JsonFile> {
    return runCooperatively(this.#json.parse(content, shown));
  }

  /** Loads the modules each time: the list may have changed, and module classes get a new instance. */
  async #read({
    snapshot,
    ...options
  }: BuildOptions): Promise<{ readonly modules: readonly Module[]; readonly configuration: Configuration }> {
    const { root, builtIn, environment, program, modules: additional = [] } = this.#options;
    const listed = snapshot?.modules ?? (this.hasProject ? await readModuleList(root) : []);
    const passedTo = program?.source;
    const loaded = await loadModules({ root, builtIn, additional, listed, passedTo });
    const modules = loaded.map(({ module }) => module);
    const layers = {
      ...options,
      builtIn,
      layers: snapshot?.layers,
      program,
      hasFiles: this.hasProject,
      parse: (content: string | Buffer, shown: string) => this.#parse(content, shown),
    };
    const configuration = await loadConfiguration(root, modules, environment, layers);
    this.#listed.set(configuration, listed);
    return { modules, configuration };
  }
}
