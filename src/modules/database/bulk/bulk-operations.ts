import { Type, type TObject } from '@sinclair/typebox';
import { ConfigurationError } from '../../../framework';
import type { RestServiceDefinition } from '../../hosting';
import { withDeclaredMembers } from '../service/declaration/declared-members';
import { bulkFilters } from './bulk-filters';
import { withoutDefault } from '../query/filters/filter-operators';
import type { Table } from '../table/table';
import { keyNames } from '../table/table-key';
import { filterParameters } from '../query/query-parameters';
import { withRequiredKeys } from '../service/table-schemas';

type Collection = NonNullable<RestServiceDefinition['collection']>;

/** Entities of a list, if a service has no `max_items`. */
export const DEFAULT_MAX_ITEMS = 100;

/**
 * Completes the operations of a collection that change rows: what their bodies and filters are, and what they do.
 * @param input the schema of a new row
 * @param where service name, for messages
 * @throws ConfigurationError for a PUT without keys of clients, and a DELETE without filters
 */
export function withBulkOperations(
  collection: Collection,
  table: Table,
  { input, maxItems, where }: { readonly input: TObject; readonly maxItems: number; readonly where: string },
): Collection {
  const { POST: post, PUT: put, PATCH: patch, DELETE: remove } = collection;
  const atMost = `At most ${maxItems}, all or none.`;
  const lists = `An entity, or a list of at most ${maxItems}, of which all are created or none.`;
  const fields = table.isKeyChosen ? { fields: withRequiredKeys(input, table) } : {};
  return {
    ...collection,
    ...(post && { POST: { ...(maxItems > 1 ? { request_description: lists } : {}), ...fields, ...post } }),
    ...(put && {
      PUT: {
        summary: 'Create or replace several entities',
        description: `${atMost} Entities that the list does not name remain.`,
        ...fields,
        ...put,
        ...assertUpsert(table, where),
      },
    }),
    ...(patch && {
      PATCH: {
        summary: 'Patch several entities',
        description: `${atMost} Each item is a merge patch with the identifier of its entity.`,
        ...patch,
      },
    }),
    ...(remove && {
      DELETE: {
        summary: 'Delete several entities',
        description: `${atMost} Filters select them; at least one is required.`,
        ...remove,
        query: deleteQuery(table, remove.query, where),
      },
    }),
  };
}

/** @throws ConfigurationError if the database chooses the key */
function assertUpsert(table: Table, where: string): object {
  if (table.isKeyChosen) return {};
  throw new ConfigurationError(
    `${where} declares collection PUT, which creates entities with the keys that clients choose, and the database chooses "${keyNames(table).join('", "')}". Remove PUT: POST creates, and PATCH changes several entities.`,
  );
}

/** @throws ConfigurationError if a client could select nothing */
function deleteQuery(table: Table, declared: TObject | undefined, where: string): TObject {
  const filters = bulkFilters(table);
  if (filters.length === 0) {
    throw new ConfigurationError(
      `${where} declares collection DELETE, which deletes what a filter selects, and has no filters. Declare one, such as "filters": { "${keyNames(table)[0] ?? ''}": ["eq"] }, or remove DELETE.`,
    );
  }
  const given = filters.map(({ column, ...filter }) => ({
    ...filter,
    column: { ...column, schema: withoutDefault(column.schema) },
  }));
  const query = Type.Object({ ...(declared?.properties ?? {}), ...filterParameters(given) });
  return withDeclaredMembers(query, declared);
}
