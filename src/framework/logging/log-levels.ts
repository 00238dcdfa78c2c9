import { detailsOf, detailsWith, messageOf, readableDetails } from './line-arguments';
import type { Log } from './log';
import { thrownText } from './readable-copy';

/** From nothing to everything. */
export const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

/** The module of lines that belong to no other. */
export const FRAMEWORK_LOG = 'framework';

/** Which lines are written. */
export interface LevelSettings {
  readonly level: LogLevel;
  /** By module; others have `level`. */
  readonly levels: Readonly<Record<string, LogLevel>>;
}

/** A log that drops lines below the level of their module, and that no details make throw. */
export class LeveledLog implements Log {
  readonly #log: Log;
  readonly #default: number;
  readonly #byModule: ReadonlyMap<string, number>;

  constructor(log: Log, { level, levels }: LevelSettings) {
    this.#log = log;
    this.#default = LOG_LEVELS.indexOf(level);
    this.#byModule = new Map(Object.entries(levels).map(([name, one]) => [name, LOG_LEVELS.indexOf(one)]));
  }

  error(details: object, message: string): void {
    this.#write('error', details, message);
  }

  warn(details: object, message: string): void {
    this.#write('warn', details, message);
  }

  info(details: object, message: string): void {
    this.#write('info', details, message);
  }

  debug(details: object, message: string): void {
    this.#write('debug', details, message);
  }

  #write(level: Exclude<LogLevel, 'silent'>, first: object, message: string): void {
    const text = messageOf(first, message);
    try {
      this.#writeDetails(level, detailsOf(first), text);
    } catch (error) {
      // A value of a module, which is logged for observers and other code without a caller, may have getters that throw.
      const reason = `Some of its details could not be logged: ${thrownText(error)}`;
      this.#writeDetails(level, readableDetails(first), `${text} ${reason}`);
    }
  }

  #writeDetails(level: Exclude<LogLevel, 'silent'>, details: object, text: string): void {
    if (LOG_LEVELS.indexOf(level) <= this.#severityOf(details)) this.#log[level]?.(details, text);
  }

  #severityOf({ module }: { readonly module?: unknown }): number {
    const name = typeof module === 'string' ? module : FRAMEWORK_LOG;
    return this.#byModule.get(name) ?? this.#default;
  }
}

/** The log of a module: adds its name to every line. */
export class ModuleLog implements Log {
  readonly #log: Log;
  readonly #module: string;

  constructor(log: Log, module: string) {
    this.#log = log;
    this.#module = module;
  }

  error(details: object, message: string): void {
    this.#log.error(detailsWith({ module: this.#module }, details), messageOf(details, message));
  }

  warn(details: object, message: string): void {
    this.#log.warn(detailsWith({ module: this.#module }, details), messageOf(details, message));
  }

  info(details: object, message: string): void {
    this.#log.info(detailsWith({ module: this.#module }, details), messageOf(details, message));
  }

  debug(details: object, message: string): void {
    this.#log.debug?.(detailsWith({ module: this.#module }, details), messageOf(details, message));
  }
}
