import path from 'node:path';
import { priorities, type BootstrapEvent, type ConfigTree, type Module } from '../../framework';
// What an identity is, for the access log.
import type {} from '../mvc-auth';
import { AccessLog } from './access-log';
import { OPERATIONS_KEY, operationsDefaults, operationsSettings } from './settings';

/** What concerns those who run the service: the access log, and the fields that browsers are told by. */
export default class OperationsModule implements Module {
  readonly name = 'operations';
  readonly defaults: ConfigTree = operationsDefaults;
  readonly schemas = { [OPERATIONS_KEY]: operationsSettings };

  onBootstrap({ application }: BootstrapEvent): void {
    const { configuration, observers, events, lasting } = application;
    const { access_log, security_headers } = configuration.section(OPERATIONS_KEY, operationsSettings);
    if (access_log.enabled) {
      const file =
        access_log.file === undefined ? undefined : path.resolve(configuration.root, access_log.file);
      const log = lasting.keep(AccessLog, () => new AccessLog(file));
      observers.observe('completed', (event) => log.note(event));
    }
    const fields = Object.entries(security_headers);
    events.attach(
      'response',
      ({ response }) => {
        for (const [name, value] of fields)
          if (!response.fields.has(name)) response.fields.append(name, value);
      },
      priorities.response.fields,
    );
  }
}
