import type { TSchema } from '@sinclair/typebox';
import { StartError, type MvcEvent } from '../../framework';
import type { NegotiationPolicy, Selectors } from '../content-negotiation';
import type { Validators } from '../content-validation';
import type { AccessRules, Guards } from '../mvc-auth';
import type { OperationDefinition, ServiceDefinition } from './definition';
import type { HostedEndpoint, HostedService, Part } from './hosted-endpoint';
import type { References } from './references';
import type { OperationSchemas } from './schemas';
import { mediaTypeOf } from './version-of';

/** What services are compiled with. */
export interface Tools {
  readonly selectors: Selectors;
  readonly validators: Validators;
  readonly guards: Guards;
  readonly rules: AccessRules;
  readonly references: References;
  /** The path of an entity of a service. */
  readonly locate: (
    api: string,
    route: string,
    event: MvcEvent,
    identifier: Readonly<Record<string, string>>,
  ) => string;
}

/** Which service is compiled. */
export interface Place {
  readonly api: string;
  readonly version: number;
  readonly service: string;
}

/** Compiles the operations of a service, with what they have in common. */
export class OperationCompiler {
  readonly place: Place;
  readonly tools: Tools;
  readonly where: string;
  readonly accept: readonly string[];
  readonly contentTypes: readonly string[];
  readonly guard: HostedService['guard'];
  readonly #definition: ServiceDefinition;
  readonly #negotiation: Omit<NegotiationPolicy, 'contentTypes'>;

  constructor(place: Place, definition: ServiceDefinition, tools: Tools, where: string) {
    const { api, version } = place;
    this.place = place;
    this.tools = tools;
    this.where = where;
    this.#definition = definition;
    this.accept = Object.freeze(definition.accept ?? ['application/json', mediaTypeOf(api, version)]);
    this.contentTypes = Object.freeze(definition.content_type ?? this.accept);
    this.guard = tools.guards.of(place);
    this.#negotiation = {
      selector: tools.selectors.get(definition.selector ?? 'Json', where).restrictedTo(this.accept, where),
      bodyLimit: definition.body_limit ?? tools.selectors.bodyLimit,
    };
  }

  endpoint(
    part: Part,
    method: string,
    definition: OperationDefinition,
    schemas: OperationSchemas,
    handling: { readonly status: number; readonly handler: HostedEndpoint['handler'] },
  ): HostedEndpoint {
    const { api, version, service } = this.place;
    const name = `${api}-v${version}/${service} ${part === 'rpc' ? '' : `${part} `}${method}`;
    const { request, response, query } = schemas;
    const declared = definition.authorization ?? this.#definition.authorization;
    return Object.freeze({
      name,
      api,
      version,
      service,
      part,
      method,
      definition,
      guard: this.guard,
      access: this.tools.rules.of({
        ...this.place,
        part: part === 'rpc' ? undefined : part,
        method,
        declared,
      }),
      negotiation: Object.freeze({
        ...this.#negotiation,
        contentTypes: request === null ? [] : this.contentTypes,
      }),
      validation: Object.freeze({
        body: request === null ? undefined : this.#compile(() => this.#bodyValidator(method, request), name),
        query: this.#compile(() => this.tools.validators.forQuery(query), name),
      }),
      requestSchema: request,
      responseSchema: response,
      querySchema: query,
      ...handling,
    });
  }

  #bodyValidator(method: string, schema: TSchema): HostedEndpoint['validation']['body'] {
    const { validators } = this.tools;
    return method === 'PATCH' ? validators.forPatch(schema) : validators.forBody(schema);
  }

  #compile<T>(make: () => T, name: string): T {
    try {
      return make();
    } catch (error) {
      throw new StartError(
        `${name}: its schema cannot be used: ${error instanceof Error ? error.message : String(error)}`,
        {
          cause: error,
        },
      );
    }
  }
}
