import { describeScriptError } from '../../errors/describe-script-error';
import { ConfigurationError } from '../../errors/configuration-error';
import { isObject, type ConfigObject } from '../../values/config-object';
import { describeValue } from '../../text/describe-value';
import { adviceIfRepeated, defaultExport, importFresh } from './fresh-import';

/**
 * Loads the export of a configuration script without caching, including the CommonJS files of the project that it
 * requires. Of an ES module, only the script itself is reloaded.
 *
 * @param shown the path for messages, relative to the project
 * @throws ConfigurationError if it cannot be loaded, or does not export an object
 */
export async function readScript(file: string, shown: string): Promise<ConfigObject> {
  try {
    const tree = defaultExport(await importFresh(file));
    if (!isObject(tree))
      throw new NotAnObject(`its default export is ${describeValue(tree)}. Export an object.`);
    // The values are checked against the schemas.
    return tree as ConfigObject;
  } catch (error) {
    const root = file.slice(0, -shown.length);
    const reason =
      error instanceof NotAnObject
        ? error.message
        : await describeScriptError(error, { root, file, hasSecrets: true });
    throw new ConfigurationError(
      `${shown} cannot be loaded: ${withOwnAdvice(reason)}${adviceIfRepeated(error)}`,
      { cause: error },
    );
  }
}

/** Node.js advises a rename to `.cjs` for CommonJS in an ES module, but such files are not read as configuration. */
function withOwnAdvice(reason: string): string {
  return reason.replace(
    /To treat it as a CommonJS script, .*$/m,
    'Use the syntax of ES modules: write "export default { … };" instead of "module.exports = { … };".',
  );
}

/** The script does not export an object. */
class NotAnObject extends Error {}
