/** A condition of the request, and not one of the view or of a join. */
const OF_REQUEST = String.raw`.*\$[1-9]`;

const INDEX_CONDITION = new RegExp(`Index Cond: ${OF_REQUEST}`);

/** A condition that is checked for every row that a scan of a table or of a whole index reads. */
const FILTER = new RegExp(` Filter: ${OF_REQUEST}`);
const WHOLE_SCAN = /^ *(?:Parallel )?(?:Seq|Index|Index Only|Bitmap Index) Scan\b/;

/** A condition of a request for groups, which no index serves. One of the view has no parameter. */
const HAVING = new RegExp(String.raw`Aggregate\b.*\n(?:(?! *->).*\n)*? *Filter: ${OF_REQUEST}`);

/** Whether PostgreSQL compares every row of a table with the condition of a request that an index could serve. */
export function isPostgresScan(plan: string): boolean {
  if (HAVING.test(plan)) return false;
  // Conditions may contain the operator `->`.
  const steps = plan.split(/\n *->/);
  return (
    !steps.some((step) => INDEX_CONDITION.test(step)) ||
    steps.some((step) => WHOLE_SCAN.test(step) && FILTER.test(step) && !step.includes('Index Cond'))
  );
}

/** The keys of a sort and of the groups that it sorts. A view may also join groups to rows. */
const SORTED_GROUPS = /Sort Key: (.+)\n(?: *-> {2}Subquery Scan .*\n)? *-> .*\n *Group Key: (.+)/;

/** A sort. `Merge Append` has a key too, and merges what is sorted, such as partitions. */
const SORT = /(?:^|-> {2})Sort {2}/m;

/** Whether PostgreSQL sorts all rows that it has read, but not those with an equal first key, or by what a view calculates. */
export function isPostgresSort(plan: string): boolean {
  return SORT.test(plan) && !plan.includes('Presorted Key') && !isSortOfGroups(plan);
}

/** Whether a plan sorts groups by what a view has calculated for each of them, an order that no index has. */
function isSortOfGroups(plan: string): boolean {
  const [, sorted = '', grouped] = SORTED_GROUPS.exec(plan) ?? [];
  const first = /^(?:\(.+?\)(?= DESC|,|$)|[^,]+?)(?= DESC|,|$)/.exec(sorted)?.[0];
  return grouped !== undefined && first !== undefined && !grouped.split(', ').includes(first);
}
