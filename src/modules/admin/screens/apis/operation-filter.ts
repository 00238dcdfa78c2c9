import type { AccessView } from '../../actions/access/access-view';
import { searchIn } from '../../pages/paging';
import type { RuleRow } from './rule-form';

/** What operations may be chosen by: those with a rule of their own, or those that are open to somebody. */
const ACCESS = ['own', 'guest', 'authenticated', 'names', 'policy'] as const;

/** Which operations of a version a page shows. */
export interface OperationFilter {
  readonly text: string;
  /** The tag of their services; empty for any. */
  readonly group: string;
  /** One of {@link ACCESS}; empty for any. */
  readonly access: string;
  /** The tags to choose from, and none. */
  readonly groups: readonly { readonly value: string; readonly label: string }[];
  readonly matches: (row: RuleRow) => boolean;
}

/** The filter that a query asks for as `search`, `group` and `access`. */
export function operationFilter(query: URLSearchParams, { services }: AccessView): OperationFilter {
  const search = searchIn(query);
  const groups = [...new Set(services.flatMap((service) => service.groups))].sort();
  const group = groups.find((one) => one === query.get('group')) ?? '';
  const access = ACCESS.find((one) => one === query.get('access')) ?? '';
  const inGroup = new Set(
    services.flatMap((service) => (group === '' || service.groups.includes(group) ? [service.name] : [])),
  );
  return {
    text: search.text,
    group,
    access,
    groups: groups.length === 0 ? [] : ['', ...groups].map((value) => ({ value, label: value || 'All' })),
    matches: (row) =>
      inGroup.has(row.service) &&
      (access === '' || (access === 'own' ? row.own !== undefined : row.effectiveChoice === access)) &&
      search.matches(`${row.service} ${row.part} ${row.method}`),
  };
}
