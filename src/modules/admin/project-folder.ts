import path from 'node:path';
import { ConfigurationError, folderWarning, type ApplicationHost } from '../../framework';

/** The folders that the admin writes, and what is impossible if it cannot. */
const FOLDERS: Readonly<Record<string, string>> = {
  'config/autoload': 'Administrators cannot change the configuration.',
  data: 'Changes by administrators and revisions of the configuration are not recorded.',
};

/** @throws ConfigurationError without a project folder: the admin changes the files in it */
export function assertProject(host: ApplicationHost | undefined): void {
  if (host === undefined || host.hasProject) return;
  throw new ConfigurationError(
    'The module "admin" needs a project folder: it keeps administrators, the audit log and changes of the configuration there. ' +
      'Pass the folder as "root", remove the module, or set platform-admin.enabled to false.',
  );
}

/**
 * Returns warnings about folders that the process cannot write.
 * @param root the project folder
 */
export async function folderWarnings(root: string): Promise<readonly string[]> {
  const warnings = Object.entries(FOLDERS).map(([folder, effect]) =>
    folderWarning(path.join(root, folder), `${folder}/`, effect),
  );
  return (await Promise.all(warnings)).flatMap((warning) => warning ?? []);
}
