import { ConfigurationError } from '../errors/configuration-error';
import type { ConfigurationRepository } from './local-configuration';
import { tagOfText } from './revisions';

/** Of an application without a project folder: there is no file that could be read or changed. */
export class PassedConfiguration implements ConfigurationRepository {
  readonly #source: string;

  /** @param source the function that received the configuration, such as `startPlatform` */
  constructor(source: string) {
    this.#source = source;
  }

  read(): Promise<{ readonly text: undefined; readonly tag: string }> {
    return Promise.resolve({ text: undefined, tag: tagOfText(undefined) });
  }

  /** @throws ConfigurationError always */
  locked(): Promise<never> {
    return Promise.reject(
      new ConfigurationError(
        `The configuration cannot be changed: the program passed it to ${this.#source}(), without a project folder. Change the program, or pass the folder as "root".`,
      ),
    );
  }

  latestRevision(): Promise<number> {
    return Promise.resolve(0);
  }

  history(): Promise<{ readonly revisions: readonly never[]; readonly tag: string }> {
    return Promise.resolve({ revisions: [], tag: tagOfText(undefined) });
  }

  revisions(): Promise<readonly never[]> {
    return Promise.resolve([]);
  }

  revision(): Promise<undefined> {
    return Promise.resolve(undefined);
  }
}
