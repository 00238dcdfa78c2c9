import type { TSchema } from '@sinclair/typebox';
import type { ContainerModule } from 'inversify';
import type { Configuration } from '../../config/configuration';
import type { ConfigObject } from '../../values/config-object';
import type { MaybePromise } from '../../events/maybe-promise';
import type { BackgroundTask } from '../background/background-task';
import type { BootstrapEvent } from '../events';

/**
 * A module of the platform. Everything but the name is optional. Other modules can add members by declaration
 * merging, as hosting does with `apis`.
 *
 * @example
 * export default class BlueprintModule implements Module {
 *   readonly name = 'blueprint';
 *   readonly requires = ['documentation'];
 *   readonly services = new ContainerModule(({ bind }) => {
 *     bind('BlueprintModel').toConstantValue(BlueprintModel);
 *   });
 * }
 */
export interface Module {
  readonly name: string;
  /** Names of modules that are loaded before this one; built-in ones do not have to be listed in the project. */
  readonly requires?: readonly string[];
  /** Names of modules that are loaded before this one if the project has them; it also works without them. */
  readonly optionalRequires?: readonly string[];
  /** @deprecated Renamed to `requires`. */
  readonly needs?: readonly string[];
  /**
   * Names of the members that this module reads from other modules, which it also declares in TypeScript. Misspelled
   * members are then reported at startup.
   */
  readonly moduleMembers?: readonly string[];
  /** Default configuration, the lowest layer. Files are relative to the project's root. */
  readonly defaults?: ConfigObject;
  /**
   * The schema of each top-level configuration key that the module owns; a function if they depend on the other
   * modules.
   */
  readonly schemas?: SettingsSchemas | ((modules: readonly Module[]) => SettingsSchemas);
  /** Its services; a function if they depend on the configuration. */
  readonly services?: ContainerModule | ((configuration: Configuration) => ContainerModule);
  /** What is repeated while the service runs. */
  readonly tasks?: readonly BackgroundTask[];
  /** Called once while an application is built: attach listeners, add routes and view helpers. */
  onBootstrap?(event: BootstrapEvent): MaybePromise<void>;
}

type SettingsSchemas = Readonly<Record<string, TSchema>>;

/** Returns the module unchanged; provides types for modules written as plain objects. */
export function defineModule(module: Module): Module {
  return module;
}
