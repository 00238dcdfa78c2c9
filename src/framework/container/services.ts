import { Container, ContainerModule, type ServiceIdentifier } from 'inversify';
import { ConfigurationError } from '../errors/configuration-error';
import { isObject } from '../values/config-object';
import { didYouMean } from '../text/closest-match';
import { describeValue } from '../text/describe-value';
import { describeScriptError } from '../errors/describe-script-error';
import { projectFrames } from '../errors/stack-frames';
import { observeBinding, type ServiceSample } from './observe-binding';

/**
 * The services of an application: an inversify container of singletons, identified by class or by name, so that
 * configuration can refer to them.
 */
export class Services {
  readonly #container = new Container({ defaultScope: 'Singleton' });
  readonly #owners = new Map<ServiceIdentifier, string>();
  readonly #samples = new Map<ServiceIdentifier, ServiceSample>();
  /** The errors of services that could not be created. */
  readonly #failures = new WeakSet();
  readonly #root: string;
  /** Receives the error of a deactivation. */
  #onDeactivationError: (id: ServiceIdentifier, error: unknown) => void = () => undefined;

  /** @param root of the project, for the locations in messages */
  constructor(root = process.cwd()) {
    this.#root = root;
  }

  /**
   * Loads the bindings of a module.
   * @param owner the name of the module
   * @throws ConfigurationError if a service is already bound
   */
  async load(owner: string, services: ContainerModule): Promise<void> {
    const observed = new ContainerModule((options) =>
      services.load({
        ...options,
        bind: (id) => {
          this.#claim(id, owner);
          return observeBinding(
            options.bind(id),
            id,
            (bound) => this.#samples.set(id, bound),
            (error) => this.#onDeactivationError(id, error),
          );
        },
      }),
    );
    await this.#container.loadAsync(observed);
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

  /** Binds an existing value. */
  set<T>(id: ServiceIdentifier<T>, value: T): void {
    this.#claim(id, 'framework');
    this.#container.bind(id).toConstantValue(value);
    this.#samples.set(id, { sample: value, isConstant: true });
  }

  has(id: ServiceIdentifier): boolean {
    return this.#container.isBound(id);
  }

  /** @throws ConfigurationError if the service is not bound, or it or a dependency cannot be created */
  async get<T>(id: ServiceIdentifier<T>): Promise<T> {
    if (!this.has(id)) throw new ConfigurationError(`No module binds the service "${nameOf(id)}".`);
    try {
      return await this.#container.getAsync(id);
    } catch (error) {
      if (error instanceof Error) this.#failures.add(error);
      if (error instanceof ConfigurationError) throw error;
      const owner = this.#owners.get(id) ?? 'framework';
      const reason = await this.describeFailure(error);
      throw new ConfigurationError(
        `The service "${nameOf(id)}" (module "${owner}") cannot be created: ${reason}`,
        {
          cause: error,
        },
      );
    }
  }

  /** Describes an error, with its location in the code of the project. */
  async describeFailure(error: unknown): Promise<string> {
    if (!(error instanceof Error) || projectFrames(error.stack ?? '').length > 0)
      return describeScriptError(error, { root: this.#root });
    // An error of inversify, which repeats the chain of the cause on further lines.
    const [reason = ''] = error.message.split('\n');
    return reason;
  }

  /**
   * Returns a service that the configuration refers to, and checks its type.
   * @param kind the type for messages, e.g. `a view strategy`
   * @param where the location of the name, for messages
   * @throws ConfigurationError if the service does not exist, or has another type
   */
  async getNamed<T>(
    name: string,
    is: (service: unknown) => service is T,
    kind: string,
    where: string,
  ): Promise<T> {
    this.#assertNamed(name, is, kind, where);
    const service: unknown = await this.get(name);
    if (is(service)) return service;
    throw isNot(name, service, is, kind, where);
  }

  /**
   * Does the same without creating the service, as far as possible: the results of factories are not checked.
   * @throws ConfigurationError if the service does not exist, or is known to have another type
   */
  assertKind(name: string, is: (service: unknown) => boolean, kind: string, where: string): void {
    this.#assertNamed(name, is, kind, where);
    const bound = this.#samples.get(name);
    if (bound !== undefined && !is(bound.sample)) throw isNot(name, bound.sample, is, kind, where);
  }

  /** Returns the value that a name is bound to; undefined if it is created on first use. */
  constantOf(id: ServiceIdentifier): unknown {
    const bound = this.#samples.get(id);
    return bound?.isConstant === true ? bound.sample : undefined;
  }

  /** Returns the module that has bound a service; `framework` for values that were set. */
  ownerOf(id: ServiceIdentifier): string | undefined {
    return this.#owners.get(id);
  }

  /** The sorted names of all named services. */
  get names(): readonly string[] {
    return [...this.#owners.keys()].filter((id) => typeof id === 'string').sort();
  }

  /**
   * Deactivates all services, also after one that fails.
   * @param onError receives an error for each that could not be deactivated; by default, the promise is rejected
   */
  async dispose(onError: (error: unknown) => void = rethrow): Promise<void> {
    const reports: Promise<void>[] = [];
    this.#onDeactivationError = (id, error) => {
      const report = this.describeFailure(error).then((reason) => {
        const message = `The service "${nameOf(id)}" (module "${this.#owners.get(id)}") could not be deactivated: ${reason}`;
        onError(new Error(message, { cause: error }));
      });
      // Awaited at the end.
      report.catch(() => undefined);
      reports.push(report);
    };
    // All are bound until every deactivation has ended, which may use other services.
    await this.#container.unbindAllAsync().catch(() => this.#unbindEach());
    await Promise.all(reports);
  }

  /** For errors outside of deactivations, after which the container has not unbound the others. */
  async #unbindEach(): Promise<void> {
    await Promise.all(
      [...this.#owners.keys()].map(async (id) => {
        try {
          await this.#container.unbindAsync(id);
        } catch (error) {
          // A promise of a service that was rejected before.
          if (error instanceof Error && this.#failures.has(error)) return;
          this.#onDeactivationError(id, error);
        }
      }),
    );
  }

  /** @throws ConfigurationError if no module binds the name */
  #assertNamed(name: string, is: (service: unknown) => boolean, kind: string, where: string): void {
    if (this.has(name)) return;
    const available: string[] = [];
    const unknown: string[] = [];
    for (const one of this.names) {
      const bound = this.#samples.get(one);
      if (bound === undefined) unknown.push(one);
      else if (is(bound.sample)) available.push(one);
    }
    const hint = didYouMean(name, [...available, ...unknown]);
    const [what = kind] = kind.split(/:| \(/);
    throw new ConfigurationError(
      `${where}: no module binds ${what} named "${name}".${hint} ${describeNames(available, unknown)} Bind it in a module that "modules" of config/application.json lists.`,
    );
  }
}

/** @param ofFactories names of services whose type is unknown before a factory creates them */
function describeNames(names: readonly string[], ofFactories: readonly string[]): string {
  const [known, others] = [names.join(', '), ofFactories.join(', ')];
  if (others === '') return `Available: ${known || 'none'}.`;
  return known === ''
    ? `Available, possibly of another type: ${others}.`
    : `Available: ${known}. Created by factories, possibly of another type: ${others}.`;
}

/** Does not print strings, which may be secrets. */
function isNot(
  name: string,
  service: unknown,
  is: (service: unknown) => boolean,
  kind: string,
  where: string,
): ConfigurationError {
  const found = typeof service === 'string' ? 'a string' : describeValue(service);
  // `to` of the container binds an instance. Where each function is accepted, no class is meant.
  const type: unknown = isObject(service) ? service.constructor : undefined;
  const advice =
    typeof type === 'function' && is(type) && !is(Object)
      ? ` Bind the class: toConstantValue(${type.name}).`
      : '';
  return new ConfigurationError(`${where}: the service "${name}" is not ${kind}: it is ${found}.${advice}`);
}

function rethrow(error: unknown): never {
  throw error;
}

function nameOf(id: ServiceIdentifier): string {
  return typeof id === 'function' ? id.name : String(id);
}
