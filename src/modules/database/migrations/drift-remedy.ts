import type { Migrations } from './migrations';

/** What to do if the tables of a database differ from its snapshot: apply pending migrations, or else write it again. */
export async function driftRemedy(migrations: Migrations, adapter: string): Promise<string> {
  // Files that cannot be read are reported by the command that applies them.
  const status = await migrations.status().catch(() => []);
  const isPending = status.some(({ state }) => state === 'pending');
  const command = `apidesc-platform db ${isPending ? 'migrate' : 'pull'} --adapter ${adapter}`;
  return `${isPending ? 'Apply the pending migrations' : 'Write the snapshot again'}: ${command}`;
}
