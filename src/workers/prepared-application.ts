import {
  ConfigurationError,
  type Application,
  type ApplicationHost,
  type ConfigurationSnapshot,
} from '../framework';

/** The application that a worker has built, and activates as soon as all processes have built theirs. */
export class PreparedApplication {
  readonly #host: () => ApplicationHost;
  #application: Promise<Application> | undefined;

  constructor(host: () => ApplicationHost) {
    this.#host = host;
  }

  /** Builds it, in place of an earlier one. @throws ConfigurationError if the build fails */
  async prepare(snapshot: ConfigurationSnapshot): Promise<void> {
    await this.discard();
    this.#application = this.#host().build({ snapshot });
    await this.#application;
  }

  async discard(): Promise<void> {
    const discarded = this.#application;
    this.#application = undefined;
    await discarded?.then(
      (application) => application.dispose(),
      () => undefined,
    );
  }

  /** @throws ConfigurationError if none was prepared */
  async activate(): Promise<void> {
    if (this.#application === undefined) throw new ConfigurationError('No configuration was prepared.');
    this.#host().activate(await this.#application);
    this.#application = undefined;
  }
}
