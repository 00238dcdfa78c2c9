/** A number that all processes lock while they run scripts: of this application, not of its tables. */
const LOCK_KEY = 7_246_913_380_154;

/** Begins a transaction that runs scripts: waits up to a minute for other processes, and then takes any time. */
export const SCRIPT_LOCK: readonly string[] = [
  'BEGIN',
  "SET LOCAL statement_timeout = '60s'",
  `SELECT pg_advisory_xact_lock(${LOCK_KEY})`,
  'SET LOCAL statement_timeout = 0',
];

export const PLAN_COLUMN = 'QUERY PLAN';

interface ExplainQueries {
  readonly prepare: readonly string[];
  readonly countParameters: string;
  readonly explain: (parameters: number) => string;
  readonly end: string;
}

/**
 * Queries for the plan of a statement with any parameters. Sequential scans are avoided: the plan shows whether an
 * index can serve the statement, also for a table that is still small.
 */
export function explainQueries(text: string): ExplainQueries {
  return {
    prepare: [
      'BEGIN',
      'SET LOCAL plan_cache_mode = force_generic_plan',
      'SET LOCAL enable_seqscan = off',
      `PREPARE explained AS ${text}`,
    ],
    countParameters:
      "SELECT cardinality(parameter_types) AS count FROM pg_prepared_statements WHERE name = 'explained'",
    explain: (parameters) =>
      `EXPLAIN EXECUTE explained${parameters > 0 ? `(${Array.from({ length: parameters }, () => 'NULL').join(', ')})` : ''}`,
    end: 'DEALLOCATE explained; ROLLBACK',
  };
}
