import path from 'node:path';
import type { Application, ApplicationHost } from '../../framework';
import { Administrators } from './accounts/administrators';
import { AccessChanges } from './actions/access/access-changes';
import { ApiAccess } from './actions/access/api-access';
import { AccessReader } from './actions/access-map/access-reader';
import { Dashboard } from './actions/dashboard/dashboard';
import { EffectiveConfiguration } from './actions/insight/effective-configuration';
import { EventListeners } from './actions/insight/event-listeners';
import { RequestTimings } from './actions/lifecycle/request-timings';
import { Nodes } from './actions/nodes/nodes';
import { Overview } from './actions/insight/overview';
import { PendingReload } from './actions/insight/pending-reload';
import { RuleTester } from './actions/rule-tester/rule-tester';
import { Revisions } from './actions/revisions/revisions';
import { DocumentationTexts } from './actions/texts/documentation-texts';
import { SelectorActions } from './actions/selectors/selector-actions';
import { Traces } from './actions/traces/traces';
import { ConfiguredServices } from './actions/services/configured-services';
import { TableServices } from './actions/services/table-services';
import { Adapters } from './actions/adapters/adapters';
import { DatabaseActions } from './actions/databases/database-actions';
import { ApiKeys } from './actions/api-keys/api-keys';
import { PasswordFiles } from './actions/password-files/password-files';
import { auditLogOf, type AuditLog } from './audit/audit-log';
import type { Safeguard } from './changes/candidate/candidate-builder';
import { ConfigurationChanges } from './changes/configuration-changes';
import { assertNotLockedOut } from './changes/lockout';
import { AdminSessions } from './sessions/admin-sessions';
import { ADMIN_KEY, adminSettings } from './settings';

/** The actions behind the admin pages, the admin API and the command line. */
export interface AdminServices {
  readonly audit: AuditLog;
  readonly changes: ConfigurationChanges;
  readonly overview: Overview;
  readonly nodes: Nodes;
  readonly dashboard: Dashboard;
  readonly listeners: EventListeners;
  readonly timings: RequestTimings;
  readonly traces: Traces;
  readonly configuration: EffectiveConfiguration;
  readonly revisions: Revisions;
  readonly pending: PendingReload;
  readonly adapters: Adapters;
  readonly passwordFiles: PasswordFiles;
  readonly apiKeys: ApiKeys;
  readonly selectors: SelectorActions;
  readonly access: ApiAccess;
  readonly accessChanges: AccessChanges;
  readonly accessReader: AccessReader;
  readonly ruleTester: RuleTester;
  readonly texts: DocumentationTexts;
  readonly databases: DatabaseActions;
  readonly tableServices: TableServices;
  readonly configuredServices: ConfiguredServices;
  readonly administrators: Administrators;
}

/** Creates the services; they always work with the currently running application of the host. */
export function openAdminServices(
  application: Application,
  host: ApplicationHost,
  safeguard: Safeguard = assertNotLockedOut,
): AdminServices {
  const { configuration } = application;
  const { administrators } = configuration.section(ADMIN_KEY, adminSettings);
  const audit = auditLogOf(application);
  const local = host.repository;
  const changes = new ConfigurationChanges(host, local, safeguard, audit);
  const adapters = new Adapters(changes);
  const revisions = new Revisions(changes, local);
  const pending = new PendingReload(host, audit);
  const access = new ApiAccess(changes);
  const databases = new DatabaseActions(changes, pending, audit);
  const overview = new Overview(host, changes, { revisions, pending });
  return {
    audit,
    changes,
    overview,
    nodes: new Nodes(host, overview.version),
    dashboard: new Dashboard(changes),
    listeners: new EventListeners(changes),
    timings: new RequestTimings(changes),
    traces: new Traces(changes, audit),
    configuration: new EffectiveConfiguration(changes),
    revisions,
    pending,
    adapters,
    passwordFiles: new PasswordFiles(changes, audit),
    apiKeys: new ApiKeys(changes, audit),
    selectors: new SelectorActions(changes),
    access,
    accessChanges: new AccessChanges(changes, access),
    accessReader: new AccessReader(changes, adapters),
    ruleTester: new RuleTester(changes, access),
    texts: new DocumentationTexts(changes),
    databases,
    configuredServices: new ConfiguredServices(changes),
    tableServices: new TableServices(changes, databases),
    administrators: new Administrators(path.resolve(configuration.root, administrators), {
      publisher: host.shared,
      onChange: (name) => application.sharedState.find(AdminSessions)?.kept.sessions.endAll(name),
    }),
  };
}
