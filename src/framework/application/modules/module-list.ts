import type { MaybePromise } from '../../events/maybe-promise';
import type { Module } from './module';

/** The file that lists the modules of a project, relative to its root. */
export const MODULE_LIST = 'config/application.json';

/** Loads built-in modules, by name. */
export type BuiltInModules = Readonly<Record<string, () => MaybePromise<unknown>>>;

/** An entry of the list. */
export interface ListedModule {
  readonly name: string;
  /** `config/application.json:3:5` */
  readonly location: string;
}

/** A module, and the reason why it is loaded. */
export interface LoadedModule {
  readonly module: Module;
  /** Where it is listed, or the module that requires it. */
  readonly source: string;
  /** The absolute path of its file; undefined if it is built in. */
  readonly file?: string;
}
