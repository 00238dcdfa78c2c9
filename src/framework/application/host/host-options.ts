import type { Configuration } from '../../config/configuration';
import type { Environment } from '../../config/layers/environment';
import type { LayerOptions } from '../../config/layers/layer';
import type { ProgramConfiguration } from '../../config/layers/program-layer';
import type { Log } from '../../logging/log';
import type { Module } from '../modules/module';
import type { BuiltInModules } from '../modules/module-list';
import type { SharedState } from '../shared-state';
import type { ConfigurationSnapshot } from './configuration-snapshot';

/** What a host builds its applications from, and how. */
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
  /** Whether the parts of an active application, such as resources, are started; defaults to true. */
  readonly startsParts?: boolean;
  /**
   * Whether building an application may change the data of the project, as the migrations of modules do; defaults to
   * true. Read-only commands set it to false.
   */
  readonly changesData?: boolean;
  /**
   * Whether building an application creates the files that it writes later, such as the access log; defaults to true.
   * Otherwise it is only checked that they can be written.
   */
  readonly createsFiles?: boolean;
  /** Maximum seconds for building an application while another one runs, or `Infinity`; defaults to 60. */
  readonly buildTimeout?: number;
}

/** Where the configuration of an application comes from. */
export interface BuildOptions extends LayerOptions {
  /**
   * Whether the configuration is only proposed: its error is reported to its author, and is not counted as a failed reload.
   * @internal
   */
  readonly isProposed?: boolean;
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
