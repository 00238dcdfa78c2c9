import { ContainerModule } from 'inversify';
import path from 'node:path';
import {
  Deployment,
  lazily,
  publicUrlOf,
  ApplicationHost,
  type Application,
  type BootstrapEvent,
  type ConfigObject,
  type Module,
} from '../../framework';
import { Catalogue, type DeclaredApis } from '../hosting';
import { PasswordHashing } from '../mvc-auth';
import { OpenidSignIn } from '../openid';
import { AdminAccess } from './access/admin-access';
import { Administrators } from './accounts/administrators';
import {
  ADMINISTRATORS_ADAPTER,
  AdministratorsAdapterFactory,
  administratorsAdapterDefaults,
} from './accounts/administrators-adapter';
import { Claim } from './accounts/claim-link';
import { CLAIM_PATH } from './accounts/claim-page';
import { openidPages } from './accounts/openid-pages';
import { sharedFileWarnings } from './accounts/files/shared-file-warnings';
import { adminApi } from './api/admin-api';
import { auditLogOf } from './audit/audit-log';
import { observeForAudit } from './audit/audit-observers';
import { changeLogger } from './changes/audit';
import { ADMIN_API } from './changes/lockout';
import { keepHistory } from './monitoring/keep-history';
import { ADMIN_PATH, AdminPaths } from './pages/admin-paths';
import type { PageDependencies } from './pages/page-dependencies';
import { openPages } from './open-pages';
import { assertProject, folderWarnings } from './project-folder';
import { assertAdminPathIsFree } from './reserved-routes';
import { openAdminServices, type AdminServices } from './services';
import { AdminSessions } from './sessions/admin-sessions';
import { ADMIN_KEY, adminDefaults, adminSettings } from './settings';
import { adminTemplates } from './templates';

export { ServiceHistory } from './monitoring/service-history';
export type { RecentError } from './monitoring/recent-errors';
export { ADMIN_PATH } from './pages/admin-paths';
export type { Actor } from './changes/change';
export type { Applied, Preview } from './changes/change-effects';
export type { PartialTableService } from './actions/services/table-services';
export { recordRestore } from './audit/record-restore';
export { listenersOf, type EventView } from './actions/insight/event-listeners';
export { openAdminServices, type AdminServices } from './services';

/** The name of the module in `config/application.json`. */
export const ADMIN_MODULE = 'admin';

/** The admin module: accounts and sessions of administrators, pages and an API that change the configuration. */
export default class AdminModule implements Module {
  readonly name = ADMIN_MODULE;
  readonly requires = ['mvc-auth', 'documentation'];
  /** Counts the requests that the dashboard shows, and records their traces. */
  readonly optionalRequires = ['operations', 'openid'];
  readonly defaults: ConfigObject = {
    ...adminDefaults,
    ...administratorsAdapterDefaults(ADMIN_API),
    view_manager: { template_map: adminTemplates() },
  };
  readonly schemas = { [ADMIN_KEY]: adminSettings };
  readonly services = new ContainerModule(({ bind }) => {
    bind(ADMINISTRATORS_ADAPTER).toResolvedValue(
      (hashing: PasswordHashing) => new AdministratorsAdapterFactory(hashing),
      [PasswordHashing],
    );
  });

  #admin: (() => AdminServices) | undefined;
  readonly apis: DeclaredApis = (configuration) =>
    configuration.section(ADMIN_KEY, adminSettings).enabled ? [adminApi(() => this.#opened)] : [];

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { configuration, services, sharedState, router, events, observers, warnings } = application;
    const settings = configuration.section(ADMIN_KEY, adminSettings);
    const access = new AdminAccess(configuration);
    if (!settings.enabled) return;
    const host = sharedState.find(ApplicationHost);
    assertProject(host);
    assertAdminPathIsFree((await services.get(Catalogue)).apis);
    const log = application.logOf(this.name);
    observers.observe('changed', changeLogger(log));
    // Administrators can respond to an overload.
    application.essentialPaths.push(application.baseUrl + ADMIN_PATH);
    const audit = auditLogOf(application);
    const auditWarning = await audit.prepare();
    if (auditWarning !== undefined) warnings.push(auditWarning);
    const deployment = sharedState.getOrCreate(Deployment, () => new Deployment());
    const { sessions, drafts, reviews, shownReviews } = sharedState.getOrCreate(
      AdminSessions,
      () => new AdminSessions(deployment, log),
    ).kept;
    const administrators = new Administrators(path.resolve(configuration.root, settings.administrators), {
      hashing: await services.get(PasswordHashing),
      publisher: host?.shared,
      onChange: (name) => sessions.endAll(name),
    });
    warnings.push(
      ...(await folderWarnings(configuration.root)),
      ...(await administrators.warnings()),
      ...(await sharedFileWarnings(configuration, settings.administrators)),
    );
    events.attach('shutdown', () => audit.close());
    observeForAudit(application, audit, administrators);
    const admin = host && lazily(() => openAdminServices(application, host));
    this.#admin = admin;
    keepHistory(application);
    const paths = new AdminPaths(router.base);
    const signIn = services.has(OpenidSignIn) ? await services.get(OpenidSignIn) : undefined;
    const openid = signIn && openidPages(signIn, paths.home);
    const dependencies: PageDependencies = {
      router,
      settings,
      access,
      administrators,
      publicOrigin: publicUrlOf(configuration).origin,
      audit,
      openid,
      paths,
      sessions,
      drafts,
      reviews,
      shownReviews,
      get changes() {
        return admin?.().changes;
      },
    };
    await openPages(application, dependencies, { admin, signIn, deployment, log });
    await announce(application, dependencies);
  }

  /** Set on bootstrap: after the API is declared, before it is called. */
  get #opened(): AdminServices {
    if (this.#admin === undefined) throw new TypeError('This application cannot be reloaded.');
    return this.#admin();
  }
}

/** Adds the startup notice: the URL of the admin, or the one-time link that creates the first administrator. */
async function announce(
  { sharedState, notices }: Application,
  dependencies: PageDependencies,
): Promise<void> {
  const { administrators, paths } = dependencies;
  if ((await administrators.names()).length > 0) {
    notices.push({ label: 'Admin', target: paths.home });
    return;
  }
  const { token } = sharedState.getOrCreate(Claim, () => new Claim());
  if (token !== undefined)
    notices.push({
      label: 'First administrator (one-time link)',
      target: `${paths.url(CLAIM_PATH)}?token=${token}`,
    });
}
