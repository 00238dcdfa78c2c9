import { existsSync } from 'node:fs';
import path from 'node:path';
import { UsageError } from '../usage-error';

/** A name that npm accepts for a package without a scope. */
const PACKAGE_NAME = /^[a-z0-9][a-z0-9._-]{0,213}$/;

/** A version, a range, a tag, or an address. */
const VERSION = /^(?:[\^~<>=]*\d[\w.+*<>=|^~ -]*|[a-z][a-z0-9-]*|\*|(?:https?|git\+\w+|npm|file):.+)$/i;

/**
 * Returns the dependency that `--platform-package` names.
 * @param specifier a version, a tag, an address, or the path of a tarball or folder, relative to `from`
 * @param project the folder of the project, to which paths are relative in its package.json
 * @throws UsageError for a path that does not exist, and a specifier of another form
 */
export function platformDependency(specifier: string, from: string, project: string): string {
  const file = path.resolve(from, specifier.replace(/^file:/, ''));
  const isPath = /^(?:\.{0,2}[/\\]|\.{1,2}$|file:|[A-Za-z]:[/\\])|\.t(?:ar\.)?gz$/.test(specifier);
  const isAddress = /^(?:https?|git\+\w+|npm):/.test(specifier);
  if (!isAddress && (isPath || (specifier !== '' && !VERSION.test(specifier) && existsSync(file)))) {
    if (!existsSync(file))
      throw new UsageError(
        `--platform-package: ${file} does not exist. Pass a tarball, a folder or a version, such as 0.1.0.`,
      );
    return `file:${path.relative(project, file).replaceAll('\\', '/')}`;
  }
  if (VERSION.test(specifier)) return specifier;
  throw new UsageError(
    `--platform-package: "${specifier}" is neither a version, nor the path of a tarball or folder. Pass one, such as 0.1.0 or ./apidesc-platform-0.1.0.tgz.`,
  );
}

/**
 * Returns the name of the package in a folder: that of the folder.
 * @throws UsageError unless npm accepts it
 */
export function packageName(folder: string): string {
  const name = path.basename(folder);
  if (PACKAGE_NAME.test(name) && !['node_modules', 'favicon.ico', 'apidesc-platform'].includes(name))
    return name;
  const suggestion = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9._-]+/g, '-')
    .replaceAll(/^[._-]+|[._-]+$/g, '');
  const example = PACKAGE_NAME.test(suggestion) && suggestion !== name ? suggestion : 'my-api';
  throw new UsageError(
    `The folder "${name}" gives the package its name, and npm does not accept this one. Use lowercase letters, digits, "-", "." and "_", such as: ${example}`,
  );
}
