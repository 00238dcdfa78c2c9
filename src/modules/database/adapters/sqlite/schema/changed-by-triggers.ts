/** A trigger, in lower case. */
export interface Trigger {
  /** The table that it belongs to. */
  readonly owner: string;
  readonly sql: string;
}

/**
 * Finds the tables whose rows triggers may change after a write: a trigger of the table names it, or another table with
 * such a trigger. SQLite evaluates `RETURNING` before it executes AFTER triggers (https://sqlite.org/lang_returning.html).
 * Other triggers, such as those of full-text indexes and logs, are many more.
 */
export function changedByTriggers(triggers: readonly Trigger[]): ReadonlySet<string> {
  const owners = new Set(triggers.map(({ owner }) => owner));
  const byFirstWord = new Map<string, string[]>();
  for (const owner of owners) {
    const [first = ''] = wordsOf(owner);
    byFirstWord.set(first, [...(byFirstWord.get(first) ?? []), owner]);
  }
  const named = new Map<string, Set<string>>();
  for (const { owner, sql } of triggers) {
    const words = new Set(['', ...wordsOf(sql.replace(/^.*?\bbegin\b/s, ''))]);
    const found = named.get(owner) ?? new Set();
    for (const word of words)
      for (const other of byFirstWord.get(word) ?? [])
        if (wordsOf(other).every((one) => words.has(one))) found.add(other);
    named.set(owner, found);
  }
  return new Set([...owners].filter((owner) => isReached(owner, named)));
}

/** Whether triggers lead from a table to itself. */
function isReached(owner: string, named: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const reached = new Set<string>(named.get(owner));
  // A set is also iterated over what is added meanwhile.
  for (const table of reached) for (const next of named.get(table) ?? []) reached.add(next);
  return reached.has(owner);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[^\s!-#%-/:-@[-^`{-~]+/g) ?? [];
}
