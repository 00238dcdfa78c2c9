import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { userInfo } from 'node:os';
import path from 'node:path';
import { ConfigurationError, FileError, systemErrorCode, type ApplicationHost } from '../../framework';

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
 * Returns warnings about folders that the process cannot write, such as volumes of a container that belong to another
 * user: they would be noticed at the first change.
 *
 * @param root the project folder
 */
export async function folderWarnings(root: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  for (const [folder, effect] of Object.entries(FOLDERS)) {
    const code = await writeProblem(path.join(root, folder));
    if (code !== undefined)
      warnings.push(`${new FileError(`${folder}/`, code).message} ${effect} The process runs as ${user()}.`);
  }
  return warnings;
}

/** Returns the system error code of a folder that cannot be written, or created. */
async function writeProblem(folder: string): Promise<string | undefined> {
  try {
    await access(folder, constants.W_OK);
    return undefined;
  } catch (error) {
    const code = systemErrorCode(error);
    const parent = path.dirname(folder);
    return code === 'ENOENT' && parent !== folder ? await writeProblem(parent) : code;
  }
}

/** Containers often run as a number without a name. */
function user(): string {
  try {
    const { uid, username } = userInfo();
    return uid < 0 ? `"${username}"` : `"${username}" (uid ${uid})`;
  } catch {
    return `uid ${process.getuid?.() ?? 'unknown'}`;
  }
}
