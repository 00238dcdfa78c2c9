/** A loop over every row of a table or of an index. A constant is a single row. */
const SCAN = 'SCAN (?!CONSTANT ROW)';

/** The outer loop of a join. The steps of a subquery are indented. */
const OUTER_SCAN = new RegExp(String.raw`^(?:(?!SCAN |SEARCH ).*\n)*${SCAN}`);

/** The outer loop of a query that a view combines with others, as with `UNION ALL`. */
const SCAN_OF_PART = new RegExp(
  String.raw`^( *)(?:LEFT-MOST SUBQUERY|UNION.*|LEFT|RIGHT)\n(?:\1 {2}(?!SCAN |SEARCH ).*\n)*\1 {2}${SCAN}`,
  'm',
);

const UNINDEXED_SCAN = new RegExp(`^ *${SCAN}(?!.*USING (COVERING )?INDEX)`, 'm');

/** What a view calculates for its rows or compares them with, such as a count, whatever the request. */
const SUBQUERY = /^( *)(?:CORRELATED )?(?:SCALAR|LIST) SUBQUERY .*\n(?:\1 .*(?:\n|$))*/gm;

/** A subquery of `EXISTS`, which SQLite 3.51 reads as a join. */
const EXISTS = /^ *(?:SCAN|SEARCH) .+ EXISTS(?: USING .*)?(?:\n|$)/gm;

/** Whether SQLite reads every row: without an index, or with one that the condition does not narrow. */
export function isSqliteScan(plan: string, view: string): boolean {
  const steps = withoutResult(plan, view).replace(SUBQUERY, '').replace(EXISTS, '');
  return (
    UNINDEXED_SCAN.test(steps) ||
    !/^ *SEARCH /m.test(steps) ||
    OUTER_SCAN.test(steps) ||
    SCAN_OF_PART.test(steps)
  );
}

/** A sort by more than the last terms of an order, whose first ones an index has sorted. */
const WHOLE_SORT = /USE TEMP B-TREE(?! FOR LAST )/;

/** Whether SQLite sorts all rows that it has read, and does so in another case than with the result of a view. */
export function isSqliteSort(plan: string, view: string): boolean {
  // It sorts the result of a view that groups rows or makes them distinct in any case.
  return WHOLE_SORT.test(plan) && !isSubquery(plan, view);
}

/** Whether SQLite runs a view by itself, and then reads its result. */
function isSubquery(plan: string, view: string): boolean {
  const lines = plan.split('\n');
  return lines.includes(`CO-ROUTINE ${view}`) || lines.includes(`MATERIALIZE ${view}`);
}

/** The plan of a view without the step that reads its result, which is as long as the conditions within it let it be. */
function withoutResult(plan: string, view: string): string {
  if (!isSubquery(plan, view)) return plan;
  return plan
    .split('\n')
    .filter((line) => line !== `SCAN ${view}`)
    .map((line) => line.replace(/^ {2}/, ''))
    .join('\n');
}
