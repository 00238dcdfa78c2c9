import { Type, type TObject } from '@sinclair/typebox';
import { ConfigurationError, lazily } from '../../../framework';
import {
  defineRestService,
  type AnyResource,
  type RestServiceDefinition,
  type ServiceKind,
} from '../../hosting';
import { Validators } from '../../content-validation';
import type * as Hooked from '../custom/hooked-resource';
import {
  hooksOf,
  operationHooksOf,
  overrides,
  resourceOf,
  streamsQueries,
  withoutBypass,
  writeHooksOf,
} from '../custom/resolve-custom';
import type { TableHooks } from '../custom/table-hooks';
import { TableResource } from '../custom/table-resource';
import { Databases } from '../adapters/databases';
import { withDeclaredMembers } from './declaration/declared-members';
import { cursorSchema } from '../query/position';
import { withStatuses } from './declaration/documented-statuses';
import { TableQueries } from '../query/table-queries';
import { DEFAULT_MAX_ITEMS, withBulkOperations } from '../bulk/bulk-operations';
import { EntityMapper } from './entity-mapper';
import { anyQuery, queryBody, withQuery } from '../query/query-operation';
import type { Table } from '../table/table';
import { keyParameters, withDeclaredParameters } from '../table/table-key';
import type { TableServiceDefinition } from './declaration/table-definition';
import type { TableAccess } from './table-access';
import { DefaultTableResource } from './table-resource';
import { entityQuery, listQuery } from '../query/query-parameters';
import { entitySchema, inputSchema, pageSchema, patchSchema, readSchema, withOwnKeys } from './table-schemas';
import { parentCheck } from './row-restriction';
import { tableSettings } from './declaration/table-settings';
import { neededPrivileges } from './declaration/needed-privileges';
import { unindexedWarnings } from './declaration/unindexed-queries';
import { UnavailableResource, unreached } from './unavailable-resource';
import { mismatch } from './problems/database-problems';
import { nullableKeyWarnings } from './declaration/resolve-keys';
import { brokenForeignKeyWarnings } from './declaration/writing/broken-foreign-keys';
import { keyPlace, unsetWarnings } from './declaration/writing/unset-columns';
import { assertNoViewWrites, unwritableWarnings } from './declaration/writing/unwritable-columns';
import { resolveOrDisable } from './resolve-or-disable';

// Loaded by the first service with hooks.
const load = require;

const DEFAULT_PAGE_SIZE = 25;
const REQUIRED = ['adapter_name', 'table_name', 'columns', 'route', 'route_identifier_name'] as const;

/** Builds the REST service over a table or view. @throws ConfigurationError for a wrong declaration */
export const defineTable: ServiceKind['define'] = async (declared, context) => {
  const definition = assertTable(declared, context.where);
  const databases = await Databases.of(context.application);
  databases.addService(context.reference);
  const adapter = await databases.adapter(definition.adapter_name, context.where);
  const known = await databases.model(definition.adapter_name, context.where);
  if (known === undefined) return unavailableService(definition);
  const { table, isCurrent } = await resolveOrDisable(definition, known, adapter.dialect, context, databases);
  if (!isCurrent) {
    const resource = new UnavailableResource(() => mismatch(context.reference.service));
    return restService(definition, table, resource, context.where);
  }
  const sort = definition.collection?.GET?.sort ?? [];
  const { services } = context.application;
  const declaredHooks = await hooksOf(definition, services, context.where);
  const hooks = writeHooksOf(declaredHooks);
  const custom = await resourceOf(definition, services, context.where);
  const model = known.model.tables[table.name];
  if (model?.kind === 'view')
    assertNoViewWrites(definition, (name) => custom !== undefined && overrides(custom, name), context.where);
  const access: TableAccess = {
    service: context.reference.service,
    table,
    adapter,
    queries: new TableQueries(table),
    entities: new EntityMapper(table),
    isCustom: hooks !== undefined || custom !== undefined,
  };
  const placeOf = keyPlace(context.application.configuration, context.reference, context.where);
  context.application.warnings.push(
    ...unwritableWarnings(definition, table, context.where),
    ...brokenForeignKeyWarnings(definition, table, (known.actual ?? known.model).tables, context.where),
    ...(access.isCustom || model === undefined
      ? []
      : await unsetWarnings(definition, table, model, adapter, placeOf)),
    ...nullableKeyWarnings(table, context.where),
    ...(await unindexedWarnings(access, sort, context.where)),
  );
  if (custom === undefined && table.dialect === 'postgres') {
    const privileges = neededPrivileges(definition, table);
    databases.servicePrivileges.push({ adapter, where: context.where, privileges });
  }
  const { paging = 'cursor', max_items: maxItems = DEFAULT_MAX_ITEMS } = definition;
  const own = new DefaultTableResource(access, paging, maxItems);
  const hooked = async (writes: TableHooks): Promise<Hooked.HookedResource> => {
    const { HookedResource } = load('../custom/hooked-resource') as typeof Hooked;
    return new HookedResource(own, writes, access, await services.get(Validators));
  };
  const resource = hooks === undefined ? own : await hooked(hooks);
  const around = operationHooksOf(declaredHooks);
  if (custom === undefined) return { ...restService(definition, table, resource, context.where), ...around };
  TableResource.attach(custom, context.reference, { resource, adapter });
  return { ...restService(withoutBypass(definition, custom), table, custom, context.where), ...around };
};

/** @throws ConfigurationError for a missing key */
function assertTable(declared: Readonly<Record<string, unknown>>, where: string): TableServiceDefinition {
  const missing = REQUIRED.find((key) => declared[key] === undefined || declared[key] === null);
  if (missing !== undefined) {
    throw new ConfigurationError(
      `${where} is of the kind "table" and has no ${missing}. It needs ${REQUIRED.join(', ')}.`,
    );
  }
  // The schema of the kind has validated the types of the keys.
  return declared as unknown as TableServiceDefinition;
}

/** Keys that only the kind knows. */
const OWN_KEYS: readonly string[] = ['kind', 'resource', ...Object.keys(tableSettings)];

function withoutOwnKeys(
  declared: TableServiceDefinition,
): Omit<RestServiceDefinition, 'fields' | 'resource'> {
  const kept = Object.entries(declared).filter(([key]) => !OWN_KEYS.includes(key));
  // What remains are the keys of every REST service.
  return Object.fromEntries(kept) as unknown as Omit<RestServiceDefinition, 'fields' | 'resource'>;
}

function restService(
  declared: TableServiceDefinition,
  table: Table,
  resource: AnyResource,
  where: string,
): RestServiceDefinition {
  const { collection = {}, entity = {}, max_items: maxItems = DEFAULT_MAX_ITEMS } = declared;
  const common = withoutOwnKeys(declared);
  // Texts in configuration; a declaration in code has none.
  const fields: unknown = Reflect.get(declared, 'fields');
  const read = withDeclaredMembers(readSchema(table), fields);
  const generatedInput = inputSchema(table);
  const input = withDeclaredMembers(generatedInput, fields);
  const patch = lazily(() => withDeclaredMembers(patchSchema(generatedInput, table), fields));
  const ofEntity = (schema: TObject): TObject =>
    declared.read_only_members === 'refuse' ? schema : withOwnKeys(schema, table);
  return {
    kind: 'rest',
    exact_numbers: true,
    page_size: DEFAULT_PAGE_SIZE,
    max_items: maxItems,
    ...common,
    parameters: withDeclaredParameters(
      { ...keyParameters(table.rows), ...keyParameters(table.keys) },
      declared.parameters,
    ),
    fields: entitySchema(read, table),
    input,
    sent_body_check: parentCheck(table),
    ...(declared.paging === 'page' ? {} : { cursor: cursorSchema }),
    collection: withStatuses(
      withQuery(
        withGet(withPatch(withBulkOperations(collection, table, { input, maxItems, where }), patch), {
          query: withDeclaredMembers(listQuery(table, collection.GET?.query), collection.GET?.query),
          response: pageSchema(read, declared.collection_name ?? 'items', declared.paging ?? 'cursor'),
        }),
        declared.nested_filters === false ? undefined : queryBody(table),
        streamsQueries(resource),
      ),
      'collection',
      table,
    ),
    entity: withStatuses(
      withGet(
        withPut(
          withPatch(entity, () => ofEntity(patch())),
          ofEntity(input),
        ),
        {
          query: withDeclaredMembers(entityQuery(table, entity.GET?.query), entity.GET?.query),
          response: read,
        },
      ),
      'entity',
      table,
    ),
    resource,
  };
}

/** Adds the schemas of the GET of a part, if it has one. */
function withGet<Operations extends { readonly GET?: object }>(
  operations: Operations,
  { query, response }: { readonly query: TObject; readonly response: TObject },
): Operations {
  const { GET: get } = operations;
  return get === undefined ? operations : { ...operations, GET: { response, ...get, query } };
}

/** Adds the schema of the PATCH of a part, if it has one: what may be null is not what may be left out. */
function withPatch<Operations extends { readonly PATCH?: object }>(
  operations: Operations,
  fields: () => TObject,
): Operations {
  const { PATCH: patch } = operations;
  return patch === undefined ? operations : { ...operations, PATCH: { fields: fields(), ...patch } };
}

/** Adds the schema of the PUT of an entity, if it has one. */
function withPut<Operations extends { readonly PUT?: object }>(
  operations: Operations,
  fields: TObject,
): Operations {
  const { PUT: put } = operations;
  return put === undefined ? operations : { ...operations, PUT: { fields, ...put } };
}

/** The service as far as the declaration describes it: it is built again when the database can be reached. */
function unavailableService(declared: TableServiceDefinition): RestServiceDefinition {
  const fields = Type.Object(
    Object.fromEntries(Object.keys(declared.columns).map((name) => [name, Type.Optional(Type.Unknown())])),
  );
  const { collection = {}, entity = {}, filters = {}, sql_filters: sqlFilters = {} } = declared;
  const hasFilters = [filters, sqlFilters].some((all) => Object.values(all).some((one) => one !== null));
  const hasQuery = hasFilters && declared.nested_filters !== false;
  return defineRestService({
    ...withoutOwnKeys(declared),
    collection: withStatuses(
      withQuery(collection, hasQuery ? anyQuery : undefined, true),
      'collection',
      undefined,
    ),
    entity: withStatuses(entity, 'entity', undefined),
    fields,
    // The filters are not known.
    unknown_query: 'ignore',
    resource: new UnavailableResource(unreached),
  });
}
