import type { TSchema } from '@sinclair/typebox';
import { parametersOf, parsePattern, StartError, type MvcEvent } from '../../framework';
import type { NegotiationPolicy, Selectors } from '../content-negotiation';
import type { Validators } from '../content-validation';
import type { AccessRules, Guards } from '../mvc-auth';
import { assertComplete } from './completeness';
import { EventContext } from './context';
import type {
  OperationDefinition,
  RestServiceDefinition,
  RpcServiceDefinition,
  ServiceDefinition,
} from './definition';
import type { HostedEndpoint, HostedService, Part } from './hosted-endpoint';
import { pagingOf } from './paging';
import type { References } from './references';
import { restHandler } from './rest-handlers';
import { queryOf, restSchemas, type OperationSchemas } from './schemas';
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
interface Place {
  readonly api: string;
  readonly version: number;
  readonly service: string;
}

/**
 * Compiles a service: every operation becomes one frozen record, which the listeners of requests and the
 * documentation read, so that they cannot disagree.
 * @throws StartError for a declaration that cannot be
 */
export async function compileService(
  place: Place,
  definition: ServiceDefinition,
  tools: Tools,
): Promise<HostedService> {
  const where = `The service ${place.service} of ${place.api}-v${place.version}`;
  const isRpc = definition.kind === 'rpc' || 'methods' in definition;
  assertComplete(definition, isRpc ? 'rpc' : 'rest', where);
  const parameters = routeParameters(definition, where);
  const common = new Common(place, definition, tools, where);
  const operations = isRpc
    ? await rpcOperations(common, definition)
    : await restOperations(common, definition);
  const identifier = isRpc ? null : definition.route_identifier_name;
  if (identifier !== null && !parameters.includes(identifier)) {
    throw new StartError(
      `${where}: the route ${definition.route} has no parameter "${identifier}" (route_identifier_name).`,
    );
  }
  return Object.freeze({
    api: place.api,
    version: place.version,
    name: place.service,
    kind: isRpc ? 'rpc' : 'rest',
    description: definition.description ?? '',
    route: definition.route,
    routeIdentifierName: identifier,
    parameters: definition.parameters ?? {},
    accept: common.accept,
    contentTypes: common.contentTypes,
    fields: isRpc ? null : definition.fields,
    guard: common.guard,
    operations: Object.freeze(operations.filter(({ part }) => part !== 'entity')),
    entityOperations: Object.freeze(operations.filter(({ part }) => part === 'entity')),
  });
}

function routeParameters({ route }: ServiceDefinition, where: string): readonly string[] {
  let parameters: readonly string[];
  try {
    parameters = parametersOf(parsePattern(route).parts);
  } catch (error) {
    throw new StartError(`${where}: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  if (!parameters.includes('version')) return parameters;
  throw new StartError(
    `${where}: the route ${route} has a parameter "version", which the platform needs for the API's version.`,
  );
}

/** What the operations of a service have in common. */
class Common {
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

async function restOperations(common: Common, definition: RestServiceDefinition): Promise<HostedEndpoint[]> {
  const { place, tools, where } = common;
  const { api } = place;
  const setting = {
    ...place,
    definition,
    resource: await tools.references.resource(definition.resource, where),
    paging: pagingOf(definition),
    locate: (event: MvcEvent, id: string) =>
      tools.locate(api, definition.route, event, { [definition.route_identifier_name]: id }),
  };
  return (['collection', 'entity'] as const).flatMap((part) =>
    Object.entries(definition[part] ?? {}).map(([method, operation]) =>
      common.endpoint(
        part,
        method,
        operation,
        restSchemas(definition, part, method, operation, setting.paging),
        {
          status: method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
          handler: restHandler(setting, part, method),
        },
      ),
    ),
  );
}

async function rpcOperations(common: Common, definition: RpcServiceDefinition): Promise<HostedEndpoint[]> {
  const { api, version } = common.place;
  const endpoints = Object.entries(definition.methods).map(async ([method, procedure]) => {
    const handle = await common.tools.references.procedure(procedure.handler, common.where);
    const schemas = {
      request: procedure.fields ?? null,
      response: procedure.response ?? null,
      query: queryOf(procedure),
    };
    return common.endpoint('rpc', method, procedure, schemas, {
      status: 200,
      handler: (event) => handle(new EventContext(event, api, version)),
    });
  });
  return Promise.all(endpoints);
}
