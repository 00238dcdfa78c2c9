import type { Table, TableFilter } from '../table/table';

/** The filters that select entities to delete: those of the service, and a list of identifiers. */
export function bulkFilters({ filters, keys }: Pick<Table, 'filters' | 'keys'>): readonly TableFilter[] {
  const [key, ...others] = keys;
  if (key === undefined || others.length > 0) return filters;
  const { column } = key;
  const parameter = `${column.name}.in`;
  if (filters.some((one) => one.parameter === parameter)) return filters;
  return [{ parameter, column, operator: 'in' }, ...filters];
}
