import { parametersOf, parsePattern, StartError, type MvcEvent } from '../../framework';
import { assertCollectionName } from './collection-name';
import { assertComplete } from './completeness';
import type { RestServiceDefinition, RpcServiceDefinition, ServiceDefinition } from './definition';
import type { HostedEndpoint, HostedService } from './hosted-endpoint';
import type { Validator } from '../content-validation';
import { compiled } from './compiled';
import { OperationCompiler } from './operation-compiler';
import type { Tools } from './tools';
import { restHypermedia, rpcHypermedia } from './hypermedia';
import { pagingOf } from './paging';
import { parameterCheckOf } from './parameter-check';
import type { Place } from './place';
import { conditionsOf } from './conditions';
import { restHandler } from './rest-handlers';
import type { RestSetting } from './rest-setting';
import { procedureStatus, rpcHandler } from './rpc-handler';
import { queryOf, restSchemas } from './schemas';
import { withShared } from './service-schemas';
import { assertStandard } from './sort';

/**
 * Compiles a service: every operation becomes one frozen record, which the listeners of requests and the
 * documentation read, so that they cannot disagree.
 * @throws StartError for a declaration that cannot be
 */
export async function compileService(
  place: Place,
  declared: ServiceDefinition,
  tools: Tools,
): Promise<HostedService> {
  const where = `The service ${place.service} of ${place.api}-v${place.version}`;
  assertComplete(declared, isRpcService(declared) ? 'rpc' : 'rest', where);
  const definition = withShared(declared, tools.schemas, where);
  const isRpc = isRpcService(definition);
  const parameters = routeParameters(definition, where);
  const common = new OperationCompiler(place, definition, tools, where);
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
    visibility: definition.visibility ?? 'public',
    route: definition.route,
    routeIdentifierName: identifier,
    parameters: definition.parameters ?? {},
    parameterCheck: parameterCheckOf(tools.validators, definition.parameters ?? {}, {
      service: place.service,
      identifier,
      where,
    }),
    accept: common.accept,
    contentTypes: common.contentTypes,
    fields: isRpc ? null : definition.fields,
    guard: common.guard,
    operations: Object.freeze(operations.filter(({ part }) => part !== 'entity')),
    entityOperations: Object.freeze(operations.filter(({ part }) => part === 'entity')),
  });
}

function isRpcService(definition: ServiceDefinition): definition is RpcServiceDefinition {
  return definition.kind === 'rpc' || 'methods' in definition;
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

async function restOperations(
  common: OperationCompiler,
  definition: RestServiceDefinition,
): Promise<HostedEndpoint[]> {
  const { place, tools, where } = common;
  const { api } = place;
  assertCollectionName(definition, where);
  const list = definition.collection?.GET;
  if (list?.default_sort !== undefined) assertStandard(list.sort ?? [], list.default_sort, where);
  const setting: RestSetting = {
    ...place,
    definition,
    resource: await tools.references.resource(definition.resource, where),
    paging: pagingOf(definition, where),
    cursorCheck: cursorCheckOf(common, definition),
    entityCheck: entityCheckOf(common, definition),
    checks: tools.checks,
    variantOf: common.variantOf,
    varies: common.representations.length > 1,
    locate: (event: MvcEvent) => tools.locate(api, definition.route, event, definition.route_identifier_name),
  };
  const endpoints = (['collection', 'entity'] as const).flatMap((part) =>
    Object.entries(definition[part] ?? {}).map(([method, operation]) =>
      common.endpoint(
        part,
        method,
        operation,
        restSchemas(definition, part, method, operation, setting.paging, where),
        {
          status: part === 'collection' && method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
          handler: restHandler(setting, part, method, operation),
          conditions: conditionsOf(setting.resource, part, method, operation),
          hypermedia: restHypermedia(setting, part, method),
        },
      ),
    ),
  );
  return Promise.all(endpoints);
}

/** @throws StartError for a schema that is none, and for cursors without pages */
function cursorCheckOf(
  { tools, where }: OperationCompiler,
  { cursor, page_size: size }: RestServiceDefinition,
): Validator | undefined {
  if (cursor === undefined) return undefined;
  if (size === undefined) throw new StartError(`${where} has a cursor, but no page_size.`);
  return compiled(() => tools.validators.asIs(cursor), `${where}: cursor`);
}

function entityCheckOf(
  { tools, where }: OperationCompiler,
  { fields, collection, entity }: RestServiceDefinition,
): Validator | undefined {
  if (collection?.PATCH === undefined && entity?.PATCH === undefined) return undefined;
  return compiled(() => tools.validators.forBody(fields), `${where}: fields`);
}

async function rpcOperations(
  common: OperationCompiler,
  definition: RpcServiceDefinition,
): Promise<HostedEndpoint[]> {
  const { place, tools, where } = common;
  const endpoints = Object.entries(definition.methods).map(async ([method, procedure]) => {
    const handle = await tools.references.procedure(procedure.handler, where);
    const status = procedureStatus(procedure, method, where);
    const schemas = {
      request: procedure.fields ?? null,
      response: procedure.response ?? null,
      query: queryOf(procedure, `${where}: ${method}`),
    };
    return common.endpoint('rpc', method, procedure, schemas, {
      status,
      conditions: undefined,
      hypermedia: rpcHypermedia(schemas.response),
      handler: rpcHandler(handle, status, place),
    });
  });
  return Promise.all(endpoints);
}
