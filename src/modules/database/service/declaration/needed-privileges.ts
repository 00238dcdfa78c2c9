import type { NeededPrivilege } from '../../adapters/postgres/missing-privileges';
import { firstRevision } from '../../query/write-statements';
import type { Table } from '../../table/table';
import { isKey } from '../../table/table-key';
import { isFixed } from '../writes/row-input';
import type { TableServiceDefinition } from './table-definition';
import { usedColumns } from './used-columns';

/** Returns the privileges in PostgreSQL that the operations of a service need. Every statement selects the row that it reads or writes. */
export function neededPrivileges(
  { collection = {}, entity = {} }: Pick<TableServiceDefinition, 'collection' | 'entity'>,
  table: Table,
): readonly NeededPrivilege[] {
  const inCollection = declaredMethods(collection);
  const inEntity = declaredMethods(entity);
  const all = [...new Set([...inCollection, ...inEntity])];
  const methods = (ofCollection: readonly string[], ofEntity: readonly string[]): readonly string[] =>
    all.filter(
      (name) =>
        (ofCollection.includes(name) && inCollection.includes(name)) ||
        (ofEntity.includes(name) && inEntity.includes(name)),
    );
  const written = table.columns.filter((column) => column.isWritable && !isFixed(table, column));
  const inserted = [...written, ...table.rows.map(({ column }) => column), ...firstRevision(table)];
  const counted = table.revision.kind === 'column' && table.revision.isCounter ? [table.revision.column] : [];
  const updated = [...written.filter(({ name }) => !isKey(table, name)), ...counted];
  const own: readonly NeededPrivilege[] = [
    { table: table.name, privilege: 'SELECT', columns: selectedColumns(table), methods: all },
    {
      table: table.name,
      privilege: 'INSERT',
      columns: inserted.map(({ name }) => name),
      methods: methods(['POST', 'PUT'], table.isKeyChosen ? ['PUT'] : []),
    },
    {
      table: table.name,
      privilege: 'UPDATE',
      columns: updated.map(({ name }) => name),
      methods: updated.length === 0 ? [] : methods(['PUT', 'PATCH'], ['PUT', 'PATCH']),
    },
    { table: table.name, privilege: 'DELETE', columns: [], methods: methods(['DELETE'], ['DELETE']) },
  ];
  return [...own, ...embeddedTables(table)].filter((one) => one.methods.length > 0);
}

function declaredMethods(operations: object): readonly string[] {
  return Object.entries(operations).flatMap(([name, operation]) =>
    operation === null || operation === undefined ? [] : [name],
  );
}

/** The columns of the table itself that its statements select or compare. */
function selectedColumns(table: Table): readonly string[] {
  const { revision, search } = table;
  const used = usedColumns(table).flatMap((one) => (one.table === table.name ? [one.column] : []));
  const further = [
    ...(revision.kind === 'column' ? [revision.column.name] : []),
    ...(revision.kind === 'xmin' ? ['xmin'] : []),
    ...(search?.kind === 'column' ? [search.name] : []),
  ];
  return [...new Set([...used, ...further])];
}

function embeddedTables(table: Table): readonly NeededPrivilege[] {
  const embedded = usedColumns(table).filter((one) => one.table !== table.name);
  return [...new Set(embedded.map((one) => one.table))].map((name) => {
    const columns = embedded.flatMap((one) => (one.table === name ? [one.column] : []));
    return { table: name, privilege: 'SELECT', columns: [...new Set(columns)], methods: ['GET'] };
  });
}
