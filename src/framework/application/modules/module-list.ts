import type { MaybePromise } from '../../events/maybe-promise';
import type { Module } from './module';

/** The file that lists the modules of a project, from its root. */
export const MODULE_LIST = 'config/application.json';

/** Modules that a name stands for, without a package or a file. */
export type BuiltInModules = Readonly<Record<string, () => MaybePromise<unknown>>>;

/** A name in the list, and where it is written. */
export interface ListedName {
  readonly name: string;
  /** `config/application.json:3:5` */
  readonly place: string;
}

/** A module, and why it is loaded. */
export interface LoadedModule {
  readonly module: Module;
  /** Where it is listed, or the module that requires it. */
  readonly source: string;
  /** The file that it was loaded from, where it is not built in; absolute. */
  readonly file?: string;
}
