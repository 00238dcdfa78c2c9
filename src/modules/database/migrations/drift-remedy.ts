import type { Migrations } from './migrations';

/** What to do if the tables of a database differ from its snapshot: apply pending migrations, or else write it again. */
export async function driftRemedy(migrations: Migrations, adapter: string): Promise<string> {
  return (
    (await pendingRemedy(migrations, adapter)) ??
    `Write the snapshot again: apidesc-platform db pull --adapter ${adapter}`
  );
}

/** The command that applies pending migrations; undefined if there are none. */
export async function pendingRemedy(migrations: Migrations, adapter: string): Promise<string | undefined> {
  // Files that cannot be read are reported by the command that applies them.
  const status = await migrations.status().catch(() => []);
  return status.some(({ state }) => state === 'pending')
    ? `Apply the pending migrations: apidesc-platform db migrate --adapter ${adapter}`
    : undefined;
}
