import type { Migrations } from './migrations';

/** What to do if the tables of a database differ from its snapshot: apply pending migrations, or else write it again. */
export async function driftRemedy(migrations: Migrations, adapter: string): Promise<string> {
  const [action, command] = (await hasPending(migrations))
    ? ['Apply the pending migrations', 'migrate']
    : ['Write the snapshot again', 'pull'];
  return `${action}: apidesc-platform db ${command} --adapter ${adapter}`;
}

/** Whether migrations are pending. Files that cannot be read are reported by the command that applies them. */
export async function hasPending(migrations: Migrations): Promise<boolean> {
  const status = await migrations.status().catch(() => []);
  return status.some(({ state }) => state === 'pending');
}
