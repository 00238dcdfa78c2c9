import {
  andThen,
  ConfigurationError,
  ConfigurationErrors,
  mapInTurn,
  type MaybePromise,
  type MvcEvent,
} from '../../../framework';
import { assertCollectionPath, assertIdentifiers, assertRoute } from '../definition/checks/assert-route';
import { assertCollectionName } from '../definition/checks/collection-name';
import { assertComplete } from '../definition/checks/completeness';
import {
  warnAboutBody,
  warnAboutParameters,
  warnAboutRoute,
  warnAboutSort,
} from '../definition/checks/declaration-warnings';
import type {
  RestServiceDefinition,
  RpcServiceDefinition,
  ServiceDefinition,
  ServiceReference,
} from '../definition/definition';
import type { OperationDefinition } from '../definition/operation-definition';
import type { HostedEndpoint, HostedService } from '../hosted-endpoint';
import type { Validator } from '../../content-validation';
import { compileOrThrow, type CompileContext } from './compile-context';
import { OperationCompiler } from './operation/operation-compiler';
import { streamedAside } from '../rest/stream-all';
import { restHypermedia } from '../rest/hypermedia';
import { documentedFields, storedSchema } from '../members/schema-variants';
import { pagingOf } from '../rest/paging';
import { parameterCheckOf } from './parameter-check';
import { conditionalSupportOf } from '../conditional/conditional-support';
import { restHandler } from '../rest/rest-handlers';
import type { AnyResource } from '../definition/resource';
import { createsLists, type RestServiceContext } from '../rest/rest-service-context';
import { identifierMembers, routeIdentifiers } from '../rest/identifier';
import { procedureStatus, rpcHandler } from '../rpc/rpc-handler';
import { rpcHypermedia } from '../rpc/rpc-hypermedia';
import { withListBody } from '../schema/list-body';
import { querySchemaOf, restSchemas, type OperationSchemas } from '../schema/operation-schemas';
import { sortOfQuery } from '../schema/query-body';
import { prepareServiceSchemas, type PreparedService } from '../schema/service-schemas';
import { assertDefaultSort, assertSortNames } from '../rest/sort';

/**
 * Compiles a service. Each operation becomes one frozen endpoint, from which both the request listeners and the
 * documentation work, so that they cannot disagree. Synchronous for a definition that refers to nothing by name or class.
 * @throws ConfigurationError for an invalid definition
 */
export function compileService(
  reference: ServiceReference,
  declared: ServiceDefinition,
  context: CompileContext,
): MaybePromise<HostedService> {
  const where = `The service ${reference.service} of ${reference.api}-v${reference.version}`;
  const { definition, bodies } = prepareDeclaration(declared, context, where);
  const isRpc = isRpcService(definition);
  warnAboutRoute(definition.route, where, context.warnings);
  warnAboutParameters(definition.route, definition.parameters ?? {}, where, context.warnings);
  // Errors are reported by the key of the declaration, not of the response schemas derived from it.
  if (!isRpc) compileOrThrow(() => context.validators.asIs(definition.fields), `${where}: fields`);
  const common = new OperationCompiler(reference, definition, context, where);
  const compiled = isRpc ? rpcOperations(common, definition) : restOperations(common, definition);
  return andThen(compiled, (operations) => hostedService(common, definition, bodies, operations));
}

function hostedService(
  { reference, context, where, accept, contentTypes, guard }: OperationCompiler,
  definition: ServiceDefinition,
  bodies: PreparedService['bodies'],
  operations: readonly HostedEndpoint[],
): HostedService {
  const isRpc = isRpcService(definition);
  const identifiers = isRpc ? [] : routeIdentifiers(definition);
  const identifier = isRpc ? null : assertIdentifiers(definition, where);
  if (identifier !== null && operations.some(({ part }) => part === 'collection'))
    assertCollectionPath(definition.route, identifier, where);
  return Object.freeze({
    api: reference.api,
    version: reference.version,
    name: reference.service,
    kind: isRpc ? 'rpc' : 'rest',
    description: definition.description ?? '',
    tags: definition.tags ?? [],
    visibility: definition.visibility ?? 'public',
    route: definition.route,
    routeIdentifierName: identifier,
    routeIdentifierNames: identifiers,
    identifierMembers: isRpc ? [] : identifierMembers(definition),
    parameters: definition.parameters ?? {},
    parameterCheck: parameterCheckOf(context.validators, definition.parameters ?? {}, {
      service: reference.service,
      identifiers,
      identifier,
      where,
    }),
    accept,
    contentTypes,
    fields: isRpc ? null : documentedFields(definition.fields),
    declaredSchemas: Object.freeze(bodies),
    guard,
    operations: Object.freeze(operations.filter(({ part }) => part !== 'entity')),
    entityOperations: Object.freeze(operations.filter(({ part }) => part === 'entity')),
  });
}

/**
 * Returns a checked definition with complete schemas.
 * @throws ConfigurationError with all that is wrong with it, as far as that is known without compiling it
 */
function prepareDeclaration(
  declared: ServiceDefinition,
  { schemas, warnings }: CompileContext,
  where: string,
): PreparedService {
  const route: unknown = Reflect.get(declared, 'route');
  const errors = new ConfigurationErrors();
  errors.collect(() => assertComplete(declared, isRpcService(declared) ? 'rpc' : 'rest', where));
  const prepared = errors.collect(() => prepareServiceSchemas(declared, schemas, where, warnings));
  if (typeof route === 'string') errors.collect(() => assertRoute(route, where));
  errors.assertNone();
  // Without errors, it was prepared.
  return prepared ?? { definition: declared, bodies: [] };
}

function isRpcService(definition: ServiceDefinition): definition is RpcServiceDefinition {
  return definition.kind === 'rpc' || 'methods' in definition;
}

function restOperations(
  common: OperationCompiler,
  definition: RestServiceDefinition,
): MaybePromise<readonly HostedEndpoint[]> {
  const { context, where } = common;
  assertCollectionName(definition, where);
  const { GET: list = {}, QUERY: query } = definition.collection ?? {};
  const orders = [list, query === undefined ? {} : sortOfQuery(definition, query)];
  for (const { sort = [], default_sort: standard } of orders) {
    assertSortNames(sort, where);
    if (standard !== undefined) assertDefaultSort(sort, standard, where);
  }
  const sorted = orders.flatMap(({ sort = [] }) => sort);
  warnAboutSort(sorted, definition.fields, where, context.warnings);
  return andThen(context.resolver.resource(definition.resource, where), (resource) =>
    resourceOperations(common, definition, resource),
  );
}

function resourceOperations(
  common: OperationCompiler,
  definition: RestServiceDefinition,
  resource: AnyResource,
): MaybePromise<readonly HostedEndpoint[]> {
  const { reference, context, where } = common;
  const { api, version, service } = reference;
  const serviceContext: RestServiceContext = {
    api,
    version,
    service,
    definition,
    identifiers: definition.route_identifier_name,
    resource,
    paging: pagingOf(definition, where),
    cursorValidator: cursorCheckOf(common, definition),
    entityValidator: entityCheckOf(common, definition),
    checks: context.checks,
    variantOf: common.variantOf,
    locate: hasEntityOperations(definition)
      ? (event: MvcEvent) => context.locate(api, definition.route, event, definition.route_identifier_name)
      : undefined,
  };
  const operations = (['collection', 'entity'] as const).flatMap((part) =>
    Object.entries(definition[part] ?? {}).map(([method, operation]) => ({ part, method, operation })),
  );
  return mapInTurn(operations, ({ part, method, operation }) => {
    warnAboutBody(method, operation, false, `${where}: ${part} ${method}`, context.warnings);
    const schemas = schemasOf(serviceContext, part, method, operation, where);
    return common.endpoint(part, method, operation, schemas, {
      status: part === 'collection' && method === 'POST' ? 201 : method === 'DELETE' ? 204 : 200,
      handler: restHandler(serviceContext, part, method, operation),
      conditional: conditionalSupportOf(resource, part, method, operation),
      hypermedia: restHypermedia(serviceContext, part, method),
      aside: streamedAside(serviceContext, part, method, operation),
      paging: part === 'collection' && ['GET', 'QUERY'].includes(method) ? serviceContext.paging : undefined,
    });
  });
}

function hasEntityOperations({ entity }: RestServiceDefinition): boolean {
  return Object.keys(entity ?? {}).length > 0;
}

function schemasOf(
  { definition, paging, resource }: RestServiceContext,
  part: 'collection' | 'entity',
  method: string,
  operation: OperationDefinition,
  where: string,
): OperationSchemas {
  const schemas = restSchemas(definition, part, method, operation, paging, where);
  const acceptsList = part === 'collection' && method === 'POST' && createsLists(definition, resource);
  return acceptsList ? withListBody(schemas, definition.max_items) : schemas;
}

/** @throws ConfigurationError for an invalid schema, or a cursor without `page_size` */
function cursorCheckOf(
  { context, where }: OperationCompiler,
  { cursor, page_size: size }: RestServiceDefinition,
): Validator | undefined {
  if (cursor === undefined) return undefined;
  if (size === undefined) throw new ConfigurationError(`${where} has a cursor but no page_size.`);
  return compileOrThrow(() => context.validators.asIs(cursor), `${where}: cursor`);
}

function entityCheckOf(
  { context, where }: OperationCompiler,
  { fields, collection, entity }: RestServiceDefinition,
): Validator | undefined {
  if (collection?.PATCH === undefined && entity?.PATCH === undefined) return undefined;
  return compileOrThrow(() => context.validators.forBody(storedSchema(fields)), `${where}: fields`);
}

function rpcOperations(
  common: OperationCompiler,
  definition: RpcServiceDefinition,
): MaybePromise<readonly HostedEndpoint[]> {
  const { reference, context, where } = common;
  return mapInTurn(Object.entries(definition.methods), ([method, procedure]) =>
    andThen(context.resolver.procedure(procedure.handler, method, where), (handle) => {
      const status = procedureStatus(procedure, method, where);
      warnAboutBody(method, procedure, true, `${where}: ${method}`, context.warnings);
      const schemas = {
        request: procedure.fields ?? null,
        response: procedure.response ?? null,
        query: querySchemaOf(procedure, `${where}: ${method}`),
      };
      return common.endpoint('rpc', method, procedure, schemas, {
        status,
        conditional: undefined,
        hypermedia: rpcHypermedia(schemas.response, procedure.status_codes),
        handler: rpcHandler(handle, status, reference),
      });
    }),
  );
}
