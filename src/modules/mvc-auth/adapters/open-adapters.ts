import path from 'node:path';
import type { Static } from '@sinclair/typebox';
import {
  serverSettings,
  ConfigurationError,
  ConfigurationErrors,
  isObject,
  objectOf,
  type Application,
  errorMessage,
} from '../../../framework';
import {
  isAdapterFactory,
  isPartialFactory,
  lackingMembers,
  type AdapterFactory,
  type OpenAdapter,
} from './adapter-factory';
import { markSecretOptions } from './secret-options';
import { MVC_AUTH_KEY, mvcAuthSettings } from '../settings';

/**
 * Opens the configured adapters. They are disposed with the application, also if its build fails.
 * @throws ConfigurationError for unknown kinds, invalid options and unusable files, of all adapters
 */
export async function openAdapters(application: Application): Promise<ReadonlyMap<string, OpenAdapter>> {
  const { adapters } = application.configuration.section(MVC_AUTH_KEY, mvcAuthSettings).authentication;
  const open = new Map<string, OpenAdapter>();
  const kinds = new Set<AdapterFactory>();
  const errors = new ConfigurationErrors();
  for (const [name, declared] of Object.entries(adapters)) {
    const opened = await errors.collectAsync(() => openAdapter(application, name, declared, kinds));
    if (opened !== undefined) open.set(name, opened);
  }
  errors.assertNone();
  return open;
}

/** @param kinds those whose secret options are masked already */
async function openAdapter(
  application: Application,
  name: string,
  { adapter: kind, options }: Static<typeof mvcAuthSettings>['authentication']['adapters'][string],
  kinds: Set<AdapterFactory>,
): Promise<OpenAdapter> {
  const { configuration, services, events, log } = application;
  const at = [MVC_AUTH_KEY, 'authentication', 'adapters', name];
  const place = `${configuration.sourceOf([...at, 'adapter'])}: ${[...at, 'adapter'].join('.')}`;
  const factory = await services.getNamed(kind, isPartialFactory, 'an authentication adapter factory', place);
  if (!isAdapterFactory(factory)) {
    const lacking = lackingMembers(factory).join(', ');
    throw new ConfigurationError(`${place}: the authentication adapter factory "${kind}" lacks ${lacking}.`);
  }
  if (!kinds.has(factory)) markSecretOptions(configuration, factory);
  kinds.add(factory);
  configuration.assertAt([...at, 'options'], factory.settings);
  assertNoPublicSamples(application, name, options);
  try {
    const opened = await factory.open(name, options, {
      root: configuration.root,
      configuration,
      warn: (message) => log.warn({ module: 'mvc-auth', adapter: name }, message),
    });
    // Before it is checked: what lacks other members may be open as well.
    events.attach('shutdown', () => dispose(opened));
    assertComplete(opened, kind);
    application.warnings.push(...opened.adapter.warnings);
    return opened;
  } catch (error) {
    const reason = errorMessage(error);
    throw new ConfigurationError(`${configuration.sourceOf(at)}: ${reason}`, { cause: error });
  }
}

/** @param opened by an adapter in JavaScript, which may be incomplete */
function dispose(opened: unknown): unknown {
  const { adapter } = objectOf(opened);
  const { dispose: own } = objectOf(adapter);
  return typeof own === 'function' ? Reflect.apply(own, adapter, []) : undefined;
}

const LISTS = ['schemes', 'warnings'];
const METHODS = ['takes', 'authenticate', 'challenges', 'dispose'];

/**
 * @throws ConfigurationError for what JavaScript does not check: requests and the documentation would fail without these
 *   members, and credentials elsewhere would never be read
 */
function assertComplete(opened: unknown, kind: string): void {
  const { adapter, description } = objectOf(opened);
  const members = objectOf(adapter);
  const missing = [
    ...(typeof members.name === 'string' ? [] : ['name']),
    ...LISTS.filter((name) => !Array.isArray(members[name])),
    ...METHODS.filter((name) => typeof members[name] !== 'function').map((name) => `${name}()`),
  ].map((name) => `adapter.${name}`);
  if (isObject(description)) {
    for (const name of ['name', 'realm'])
      if (typeof description[name] !== 'string') missing.push(`description.${name}`);
    if (!Array.isArray(description.schemes)) missing.push('description.schemes');
  } else missing.push('description');
  if (missing.length > 0) throw new ConfigurationError(`What ${kind} opens lacks ${missing.join(', ')}.`);
  const { credentials = [] } = members;
  const unusable = Array.isArray(credentials) ? credentials.findIndex((one) => !isLocation(one)) : undefined;
  if (unusable === -1) return;
  // Its value may be a secret.
  const found =
    unusable === undefined
      ? `The credentials of the adapter that ${kind} opens are not a list.`
      : `The credentials of the adapter that ${kind} opens have an invalid item at ${unusable}.`;
  throw new ConfigurationError(
    `${found} Write a list of header fields and query parameters, such as [{ in: 'header', name: 'X-API-Key' }].`,
  );
}

function isLocation(location: unknown): boolean {
  const { in: place, name } = objectOf(location);
  return (place === 'header' || place === 'query') && typeof name === 'string' && name !== '';
}

/** The passwords of sample files are public. */
function assertNoPublicSamples(
  application: Application,
  name: string,
  options: Readonly<Record<string, unknown>>,
): void {
  const { host } = application.configuration.section('server', serverSettings);
  if (isLoopback(host)) return;
  for (const key of ['htpasswd', 'htdigest']) {
    const file = options[key];
    if (typeof file !== 'string' || !path.basename(file).startsWith('sample.')) continue;
    throw new ConfigurationError(
      `The server listens on ${host}, which other machines can reach, but the adapter "${name}" accepts the public sample passwords in ${file}. ` +
        `Create a password file (npx apidesc-platform ${key} -c FILE …) and set it as ${key} in config/autoload/local.json, or listen on 127.0.0.1.`,
    );
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
