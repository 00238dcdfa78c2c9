import path from 'node:path';
import { serverSettings, StartError, type Application } from '../../framework';
import { isAdapterFactory, type OpenAdapter } from './adapter-factory';
import { MVC_AUTH_KEY, mvcAuthSettings } from './settings';

/**
 * Opens the adapters that configuration names; they are closed when the application is put away, also one whose
 * build came to nothing.
 * @throws StartError for an unknown kind, wrong options, or a file that cannot be used
 */
export async function openAdapters(application: Application): Promise<ReadonlyMap<string, OpenAdapter>> {
  const { configuration, services, events, log } = application;
  const { adapters } = configuration.section(MVC_AUTH_KEY, mvcAuthSettings).authentication;
  const open = new Map<string, OpenAdapter>();
  const close = ({ adapter }: OpenAdapter): void => {
    events.attach('shutdown', () => adapter.dispose());
  };
  for (const [name, { adapter: kind, options }] of Object.entries(adapters)) {
    const at = [MVC_AUTH_KEY, 'authentication', 'adapters', name];
    const place = `${configuration.sourceOf([...at, 'adapter'])}: ${[...at, 'adapter'].join('.')}`;
    const factory = await services.named(
      kind,
      isAdapterFactory,
      'a factory of authentication adapters',
      place,
    );
    configuration.assertAt([...at, 'options'], factory.settings);
    refuseSamplesBeyondLoopback(application, name, options);
    try {
      const opened = await factory.open(name, options, {
        root: configuration.root,
        configuration,
        warn: (message) => log.warn({ adapter: name }, message),
      });
      close(opened);
      application.warnings.push(...opened.adapter.warnings);
      open.set(name, opened);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`${configuration.sourceOf(at)}: ${reason}`, { cause: error });
    }
  }
  return open;
}

/** The passwords of sample files are known to everyone who has the repository. */
function refuseSamplesBeyondLoopback(
  application: Application,
  name: string,
  options: Readonly<Record<string, unknown>>,
): void {
  const { host } = application.configuration.section('server', serverSettings);
  if (isLoopback(host)) return;
  for (const key of ['htpasswd', 'htdigest']) {
    const file = options[key];
    if (typeof file !== 'string' || !path.basename(file).startsWith('sample.')) continue;
    throw new StartError(
      `The server is to listen on ${host}, beyond this machine, but the adapter "${name}" takes the published sample passwords in ${file}. ` +
        `Make a password file of your own (npx platform ${key} -c FILE …) and name it as ${key} in config/autoload/local.json, or listen on 127.0.0.1.`,
    );
  }
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\.\d+\.\d+\.\d+$/.test(host);
}
