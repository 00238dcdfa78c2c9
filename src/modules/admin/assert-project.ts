import { ConfigurationError, type ApplicationHost } from '../../framework';

/** @throws ConfigurationError without a project folder: the admin changes the files in it */
export function assertProject(host: ApplicationHost | undefined): void {
  if (host === undefined || host.hasProject) return;
  throw new ConfigurationError(
    'The module "admin" needs a project folder: it keeps administrators, the audit log and changes of the configuration there. ' +
      'Pass the folder as "root", remove the module, or set platform-admin.enabled to false.',
  );
}
