import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { StartError } from '../config/start-error';
import { whatIs } from '../config/what-is';
import { toldBinding, type Bound } from './bound';

/**
 * The services of an application: an inversify container, by name (so that configuration can name them) or by
 * class. A service is made once, with what it needs by injection.
 */
export class Services {
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #owners = new Map<ServiceIdentifier, string>();
  readonly #bound = new Map<ServiceIdentifier, Bound>();

  /**
   * Takes in the bindings of a module.
   * @param owner how messages name the module
   * @throws StartError when a service is bound already
   */
  async load(owner: string, services: ContainerModule): Promise<void> {
    const watched = new ContainerModule((options) =>
      services.load({
        ...options,
        bind: (id) => {
          this.#claim(id, owner);
          return toldBinding(options.bind(id), id, (bound) => this.#bound.set(id, bound));
        },
      }),
    );
    await this.#container.loadAsync(watched);
  }

  #claim(id: ServiceIdentifier, owner: string): void {
    const other = this.#owners.get(id);
    if (other === owner)
      throw new StartError(`The module "${owner}" binds the service "${nameOf(id)}" twice.`);
    if (other !== undefined) {
      throw new StartError(`The modules "${other}" and "${owner}" both bind the service "${nameOf(id)}".`);
    }
    this.#owners.set(id, owner);
  }

  /** Adds a value that is there already. */
  set<T>(id: ServiceIdentifier<T>, value: T): void {
    this.#claim(id, 'framework');
    this.#container.bind(id).toConstantValue(value);
    this.#bound.set(id, { sample: value });
  }

  has(id: ServiceIdentifier): boolean {
    return this.#container.isBound(id);
  }

  /** @throws StartError when nothing is bound, or what it needs cannot be made */
  async get<T>(id: ServiceIdentifier<T>): Promise<T> {
    if (!this.has(id)) throw new StartError(`No module binds the service "${nameOf(id)}".`);
    try {
      return await this.#container.getAsync(id);
    } catch (error) {
      if (error instanceof StartError) throw error;
      // inversify tells the whole chain on further lines; it is in the cause.
      const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
      const owner = this.#owners.get(id) ?? 'framework';
      throw new StartError(`The service "${nameOf(id)}" (module "${owner}") cannot be made: ${reason}`, {
        cause: error,
      });
    }
  }

  /**
   * A service that configuration names, checked to be of the kind that is needed.
   * @param kind how messages name the kind: `a view strategy`
   * @param where the place of the name, for messages
   * @throws StartError when the name is unknown or stands for something else
   */
  async named<T>(
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
   * @throws StartError when the name is unknown or stands for something else
   */
  assertMayBe(name: string, is: (service: unknown) => boolean, kind: string, where: string): void {
    this.#assertNamed(name, where);
    const bound = this.#bound.get(name);
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

  /** @throws StartError when no module binds that name */
  #assertNamed(name: string, where: string): void {
    if (this.has(name)) return;
    throw new StartError(
      `${where}: there is no service "${name}": no module binds a factory under that name. Bound names: ${this.names.join(', ')}.`,
    );
  }
}

/** A text may be a secret: it is not told. */
function isNot(name: string, service: unknown, kind: string, where: string): StartError {
  const found = typeof service === 'string' ? 'a text' : whatIs(service);
  return new StartError(`${where}: the service "${name}" is not ${kind}: it is ${found}.`);
}

function nameOf(id: ServiceIdentifier): string {
  return typeof id === 'function' ? id.name : String(id);
}
