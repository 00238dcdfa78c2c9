/** A number that all processes lock while they run scripts: of this application, not of its tables. */
const LOCK_KEY = 7_246_913_380_154;

/** Begins a transaction that runs scripts: waits up to a minute for other processes, and then takes any time. */
export const SCRIPT_LOCK: readonly string[] = [
  'BEGIN',
  "SET LOCAL statement_timeout = '60s'",
  `SELECT pg_advisory_xact_lock(${LOCK_KEY})`,
  'SET LOCAL statement_timeout = 0',
];
