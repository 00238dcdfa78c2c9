import type { TProperties } from '@sinclair/typebox';
import { assertRoute } from './checks/assert-route';
import { ConfigurationError, type Application, type MaybePromise, type Module } from '../../../framework';
import type { CustomService, ServiceDefinition, ServiceReference } from './definition';

/**
 * A kind of service that a module adds, besides `rest` and `rpc`: a declaration of its own that is converted into
 * one of those while the application is built.
 *
 * @example
 * readonly serviceKinds = [{ name: 'table', settings: { table_name: Type.String() }, define: defineTable }];
 */
export interface ServiceKind {
  /** The value of `kind` in a declaration. */
  readonly name: string;
  /** Its keys in addition to those of every service, with their schemas; all optional. */
  readonly settings: TProperties;
  /** Reduces a value of a key, which code can give in other ways, to what its schema describes. */
  readonly reducers?: Readonly<Record<string, (value: unknown) => unknown>>;
  /** Converts a declaration. @throws ConfigurationError for an invalid one */
  define(
    declared: Readonly<Record<string, unknown>>,
    context: ServiceKindContext,
  ): MaybePromise<ServiceDefinition>;
}

/** The service of a declaration that a kind converts. */
export interface ServiceKindContext {
  readonly application: Application;
  readonly reference: ServiceReference;
  /** The service, for messages. */
  readonly where: string;
}

declare module '../../../framework' {
  interface Module {
    /** Kinds of services that the module adds. */
    readonly serviceKinds?: readonly ServiceKind[];
  }
}

/** Collects the kinds of all modules. @throws ConfigurationError for a kind that exists twice */
export function serviceKindsOf(modules: readonly Module[]): readonly ServiceKind[] {
  const owners = new Map([
    ['rest', 'hosting'],
    ['rpc', 'hosting'],
  ]);
  return modules.flatMap(({ name: module, serviceKinds = [] }) =>
    serviceKinds.map((kind) => {
      const owner = owners.get(kind.name);
      if (owner !== undefined) {
        throw new ConfigurationError(
          `The modules "${owner}" and "${module}" both add services of the kind "${kind.name}".`,
        );
      }
      owners.set(kind.name, module);
      return kind;
    }),
  );
}

/** Converts the services of added kinds. */
export class ServiceKinds {
  readonly #kinds: ReadonlyMap<string, ServiceKind>;
  readonly #application: Application;

  constructor(application: Application) {
    this.#application = application;
    this.#kinds = new Map(serviceKindsOf(application.modules).map((kind) => [kind.name, kind]));
  }

  /** @throws ConfigurationError for an unknown kind, or an invalid declaration */
  define(
    declared: ServiceDefinition | CustomService,
    reference: ServiceReference,
  ): MaybePromise<ServiceDefinition> {
    const { kind = 'rest' } = declared as { readonly kind?: string };
    if (kind === 'rest' || kind === 'rpc') return declared as ServiceDefinition;
    const where = `The service ${reference.service} of ${reference.api}-v${reference.version}`;
    const found = this.#kinds.get(kind);
    if (found === undefined) {
      throw new ConfigurationError(
        `${where} is of the kind "${kind}", which no module adds. Available: ${['rest', 'rpc', ...this.#kinds.keys()].join(', ')}.`,
      );
    }
    // Kinds read the route; what they need besides, they report themselves.
    const { route } = declared as { readonly route?: unknown };
    if (typeof route === 'string') assertRoute(route, where);
    return found.define({ ...declared }, { application: this.#application, reference, where });
  }
}
