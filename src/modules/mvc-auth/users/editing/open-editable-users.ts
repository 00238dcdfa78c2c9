import { didYouMean, objectOf, type Configuration, type Services } from '../../../../framework';
import type { FilePublisher } from '../../command-line/command-io';
import { parseOptions } from '../../http-adapter/checked-options';
import type { HttpAdapterOptions } from '../../http-adapter/options';
import { PasswordEditError } from '../../password-files/editing/password-edit-error';
import { httpAdapterSettings } from '../../http-adapter/http-adapter-settings';
import { MVC_AUTH_KEY } from '../../settings';
import { openUserTable } from '../open-users';
import type { EditableUsers } from './editable-users';
import { FileUsers } from './file-users';
import { TableUsers } from './table-users';

const ADAPTERS = [MVC_AUTH_KEY, 'authentication', 'adapters'] as const;

export interface EditingContext {
  readonly configuration: Configuration;
  /** Builds the application, for adapters whose users are not in files. */
  readonly services: () => Promise<Services>;
  readonly publisherOf?: (file: string) => Promise<FilePublisher | undefined>;
}

/**
 * Opens the users of a configured adapter for editing.
 * @throws PasswordEditError for an adapter that does not exist, or whose users cannot be changed here
 * @throws ConfigurationError or AuthConfigurationError for invalid options
 */
export async function openEditableUsers(adapter: string, context: EditingContext): Promise<EditableUsers> {
  const { configuration, services, publisherOf } = context;
  const adapters = objectOf(configuration.valueAt([...ADAPTERS]));
  const found = Object.hasOwn(adapters, adapter) ? objectOf(adapters[adapter]) : undefined;
  if (found === undefined) throw unknownAdapter(adapter, Object.keys(adapters));
  if (found.adapter !== 'HttpAdapter')
    throw new PasswordEditError(
      `The adapter "${adapter}" is of the kind ${JSON.stringify(found.adapter)}, which has no users with passwords.${found.adapter === 'ApiKeyAdapter' ? ' Use "apidesc-platform key".' : ''}`,
    );
  configuration.assertAt([...ADAPTERS, adapter, 'options'], httpAdapterSettings);
  // Just validated.
  const options = found.options as unknown as HttpAdapterOptions;
  const { realm, users, source } = parseOptions(adapter, options);
  if (source !== undefined)
    throw new PasswordEditError(
      `The users of the adapter "${adapter}" belong to the service "${source}". Change them where it reads them.`,
    );
  if (users !== undefined)
    return new TableUsers(await openUserTable(adapter, users, await services()), users, realm);
  const { accept_schemes: schemes, htpasswd, htdigest, htgroup } = options;
  return new FileUsers({
    root: configuration.root,
    realm,
    htpasswd: schemes.includes('basic') ? htpasswd : undefined,
    htdigest: schemes.includes('digest') ? htdigest : undefined,
    htgroup,
    publisherOf,
  });
}

function unknownAdapter(name: string, names: readonly string[]): PasswordEditError {
  return new PasswordEditError(
    `The adapter "${name}" is not configured.${didYouMean(name, names)} Available: ${names.join(', ') || 'none'}.`,
  );
}
