import { ConfigurationError } from './configuration-error';

/** Collects the errors of parts that do not depend on each other, so that operators see all of them at once. */
export class ConfigurationErrors {
  readonly #errors: ConfigurationError[] = [];

  /** @returns undefined if the work throws a ConfigurationError, which is collected */
  collect<T>(work: () => T): T | undefined {
    try {
      return work();
    } catch (error) {
      this.#add(error);
      return undefined;
    }
  }

  /** @returns undefined if the work fails with a ConfigurationError, which is collected */
  async collectAsync<T>(work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work();
    } catch (error) {
      this.#add(error);
      return undefined;
    }
  }

  /** @throws ConfigurationError with a line for each error, unless there is none; an only one is thrown itself */
  assertNone(): void {
    const [first, ...others] = this.#errors;
    if (first === undefined) return;
    if (others.length === 0) throw first;
    // An error of what several parts use, such as a database, is that of each of them.
    const messages = new Set(this.#errors.map(({ message }) => message));
    throw new ConfigurationError([...messages].join('\n'), { cause: first });
  }

  #add(error: unknown): void {
    if (!(error instanceof ConfigurationError)) throw error;
    this.#errors.push(error);
  }
}
