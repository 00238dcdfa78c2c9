import type { TSchema } from '@sinclair/typebox';
import type { ContainerModule } from 'inversify';
import type { ConfigObject } from '../../values/config-object';
import type { MaybePromise } from '../../events/maybe-promise';
import type { BootstrapEvent } from '../events';

/**
 * A part of the platform: one class with what it brings. Everything but the name is optional. Other modules
 * may add members of their own by declaration merging, as hosting does with `apis`.
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
  /** Names of modules that are loaded before this one; built-in ones need not be listed for that. */
  readonly requires?: readonly string[];
  /** Names of modules that are loaded before this one if the project has them; it also works without them. */
  readonly optionalRequires?: readonly string[];
  /** @deprecated Call it `requires`. */
  readonly needs?: readonly string[];
  /**
   * Names of the members that this module reads of other modules, beside declaring them in TypeScript: misspelt ones are
   * then found at start.
   */
  readonly moduleMembers?: readonly string[];
  /** Default configuration, the lowest layer. Relative files in it start from the project's root. */
  readonly defaults?: ConfigObject;
  /** The schema of each top-level configuration key that the module owns. */
  readonly schemas?: Readonly<Record<string, TSchema>>;
  readonly services?: ContainerModule;
  /** Called once while an application is built: attach listeners, add routes and view helpers. */
  onBootstrap?(event: BootstrapEvent): MaybePromise<void>;
}

/** For modules written as plain objects: checks the shape as it is typed. */
export function defineModule(module: Module): Module {
  return module;
}
