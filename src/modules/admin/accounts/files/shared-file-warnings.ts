import type { Configuration } from '../../../../framework';
import { adaptersUsing } from '../../actions/password-files/password-file-folders';
import { projectFile } from '../../actions/password-files/project-file';

/**
 * Returns warnings about other adapters that use the administrators' file: they accept administrators' passwords from
 * every network.
 *
 * @param file of the administrators, relative to the project root
 */
export async function sharedFileWarnings(
  configuration: Configuration,
  file: string,
): Promise<readonly string[]> {
  const place = await projectFile(configuration.root, file).catch(() => undefined);
  const uses = place === undefined ? [] : await adaptersUsing(configuration, place);
  return uses.map(
    ({ adapter }) =>
      `The adapter "${adapter}" reads ${file}: wherever it is mapped, administrators' passwords can be tried from networks and under host names that platform-admin.allow and platform-admin.hosts exclude. Map the adapter "administrators" instead.`,
  );
}
