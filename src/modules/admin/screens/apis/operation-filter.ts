import type { AccessView } from '../../actions/access/access-view';
import { searchIn } from '../../pages/paging';
import type { RuleRow } from './rule-form';

/** Filters by effective rule; `own` selects operations with a rule of this version. */
const ACCESS = ['own', 'guest', 'authenticated', 'names', 'policy'] as const;

/** A filter of the operations of a version. */
export interface OperationFilter {
  readonly text: string;
  /** A tag of their services; empty for any. */
  readonly group: string;
  /** One of {@link ACCESS}; empty for any. */
  readonly access: string;
  /** The choices: all tags, and any. */
  readonly groups: readonly { readonly value: string; readonly label: string }[];
  readonly matches: (row: RuleRow) => boolean;
}

/** Parses the query parameters `search`, `group` and `access`. */
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
