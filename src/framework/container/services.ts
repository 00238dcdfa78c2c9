import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { ConfigurationError } from '../errors/configuration-error';
import { describeValue } from '../text/describe-value';
import { describeScriptError } from '../errors/describe-script-error';
import { projectFrames } from '../errors/stack-frames';
import { observeBinding, type ServiceSample } from './observe-binding';

/**
 * The services of an application: an inversify container, by name (so that configuration can name them) or by
 * class. A service is made once, with what it needs by injection.
 */
export class Services {
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #owners = new Map<ServiceIdentifier, string>();
  readonly #samples = new Map<ServiceIdentifier, ServiceSample>();
  readonly #root: string;

  /** @param root of the project, for the places in messages */
  constructor(root = process.cwd()) {
    this.#root = root;
  }

  /**
   * Takes in the bindings of a module.
   * @param owner how messages name the module
   * @throws ConfigurationError when a service is bound already
   */
  async load(owner: string, services: ContainerModule): Promise<void> {
    const watched = new ContainerModule((options) =>
      services.load({
        ...options,
        bind: (id) => {
          this.#claim(id, owner);
          return observeBinding(options.bind(id), id, (bound) => this.#samples.set(id, bound));
        },
      }),
    );
    await this.#container.loadAsync(watched);
  }

  #claim(id: ServiceIdentifier, owner: string): void {
    const other = this.#owners.get(id);
    if (other === owner)
      throw new ConfigurationError(`The module "${owner}" binds the service "${nameOf(id)}" twice.`);
    if (other !== undefined) {
      throw new ConfigurationError(
        `The modules "${other}" and "${owner}" both bind the service "${nameOf(id)}".`,
      );
    }
    this.#owners.set(id, owner);
  }

  /** Adds a value that is there already. */
  set<T>(id: ServiceIdentifier<T>, value: T): void {
    this.#claim(id, 'framework');
    this.#container.bind(id).toConstantValue(value);
    this.#samples.set(id, { sample: value });
  }

  has(id: ServiceIdentifier): boolean {
    return this.#container.isBound(id);
  }

  /** @throws ConfigurationError when nothing is bound, or what it needs cannot be made */
  async get<T>(id: ServiceIdentifier<T>): Promise<T> {
    if (!this.has(id)) throw new ConfigurationError(`No module binds the service "${nameOf(id)}".`);
    try {
      return await this.#container.getAsync(id);
    } catch (error) {
      if (error instanceof ConfigurationError) throw error;
      const owner = this.#owners.get(id) ?? 'framework';
      const reason = await this.describeFailure(error);
      throw new ConfigurationError(
        `The service "${nameOf(id)}" (module "${owner}") cannot be made: ${reason}`,
        {
          cause: error,
        },
      );
    }
  }

  /** Why something of the project could not be made, with the place in its code. */
  async describeFailure(error: unknown): Promise<string> {
    if (!(error instanceof Error) || projectFrames(error.stack ?? '').length > 0)
      return describeScriptError(error, { root: this.#root });
    // An error of inversify: it tells the whole chain on further lines, which is in the cause.
    const [reason = ''] = error.message.split('\n');
    return reason;
  }

  /**
   * A service that configuration names, checked to be of the kind that is needed.
   * @param kind how messages name the kind: `a view strategy`
   * @param where the place of the name, for messages
   * @throws ConfigurationError when the name is unknown or stands for something else
   */
  async getNamed<T>(
    name: string,
    is: (service: unknown) => service is T,
    kind: string,
    where: string,
  ): Promise<T> {
    this.#assertNamed(name, where);
    const service: unknown = await this.get(name);
    if (is(service)) return service;
    throw isNot(name, service, kind, where);
  }

  /**
   * The same for one that is made later, as far as that can be told without making it: what a factory makes is seen
   * when it is made.
   * @throws ConfigurationError when the name is unknown or stands for something else
   */
  assertKind(name: string, is: (service: unknown) => boolean, kind: string, where: string): void {
    this.#assertNamed(name, where);
    const bound = this.#samples.get(name);
    if (bound !== undefined && !is(bound.sample)) throw isNot(name, bound.sample, kind, where);
  }

  /** The module that has bound a service; `framework` for what is set. */
  ownerOf(id: ServiceIdentifier): string | undefined {
    return this.#owners.get(id);
  }

  /** The services that are known by a name. */
  get names(): readonly string[] {
    return [...this.#owners.keys()].filter((id) => typeof id === 'string').sort();
  }

  async dispose(): Promise<void> {
    await this.#container.unbindAllAsync();
  }

  /** @throws ConfigurationError when no module binds that name */
  #assertNamed(name: string, where: string): void {
    if (this.has(name)) return;
    throw new ConfigurationError(
      `${where}: service "${name}" does not exist: no module binds a factory to that name. Bound names: ${this.names.join(', ')}.`,
    );
  }
}

/** A text may be a secret: it is not told. */
function isNot(name: string, service: unknown, kind: string, where: string): ConfigurationError {
  const found = typeof service === 'string' ? 'a text' : describeValue(service);
  return new ConfigurationError(`${where}: the service "${name}" is not ${kind}: it is ${found}.`);
}

function nameOf(id: ServiceIdentifier): string {
  return typeof id === 'function' ? id.name : String(id);
}
