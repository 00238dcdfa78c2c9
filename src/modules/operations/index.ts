import path from 'node:path';
import { priorities, type BootstrapEvent, type ConfigObject, type Module } from '../../framework';
import type {} from '../mvc-auth';
import { AccessLog } from './access-log';
import { OPERATIONS_KEY, operationsDefaults, operationsSettings } from './settings';

/** The access log and the security headers. */
export default class OperationsModule implements Module {
  readonly name = 'operations';
  /** The access log has the name of the user. */
  readonly optionalRequires = ['mvc-auth'];
  readonly defaults: ConfigObject = operationsDefaults;
  readonly schemas = { [OPERATIONS_KEY]: operationsSettings };

  onBootstrap({ application }: BootstrapEvent): void {
    const { configuration, observers, events } = application;
    const { access_log, security_headers } = configuration.section(OPERATIONS_KEY, operationsSettings);
    if (access_log.enabled) {
      const file =
        access_log.file === undefined ? undefined : path.resolve(configuration.root, access_log.file);
      // Each application opens the file, so that a reload reopens a rotated log.
      const log = new AccessLog(file, application.log);
      events.attach('shutdown', () => log.close());
      observers.observe('completed', (event) => log.record(event));
    }
    const fields = Object.entries(security_headers).map(([name, value]) => ({ name, value }));
    events.attach(
      'response',
      ({ response, request }) => {
        // A 401 is identical for all causes, so that it does not reveal them.
        if (response.status !== 401) response.fields.set('X-Request-Id', request.id);
        for (const { name, value } of fields)
          if (!response.fields.has(name)) response.fields.append(name, value);
      },
      priorities.response.fields,
    );
  }
}
