import { ContainerModule } from 'inversify';
import path from 'node:path';
import {
  ApplicationHost,
  StartError,
  type Application,
  type BootstrapEvent,
  type ConfigTree,
  type Configuration,
  type Module,
} from '../../framework';
import { Assets } from '../documentation';
import type { DeclaredApis } from '../hosting';
import { Throttle } from '../mvc-auth';
import { accountPage } from './accounts/account-page';
import { Administrators } from './accounts/administrators';
import {
  ADMINISTRATORS_ADAPTER,
  AdministratorsAdapterFactory,
  administratorsSignInTo,
} from './accounts/administrators-adapter';
import { administratorsPages } from './accounts/administrators-pages';
import { Claim } from './accounts/claim';
import { CLAIM_PATH, claimPage } from './accounts/claim-page';
import { Networks } from './accounts/networks';
import { signInPage, signOutPage } from './accounts/sign-in-pages';
import { AdminNetworkListener } from './api/admin-network-listener';
import { adminApi } from './api/admin-api';
import { ADMIN_API } from './changes/lockout';
import { AdminPaths } from './pages/admin-paths';
import { PageListener } from './pages/page-listener';
import { PageRoutes, type PageParts } from './pages/page-routes';
import { screens } from './screens/screens';
import { openAdminServices, type AdminServices } from './services';
import { Sessions } from './sessions/sessions';
import { ADMIN_KEY, adminDefaults, adminSettings, type AdminSettings } from './settings';
import { adminAssets, adminTemplates } from './templates';

export type { Actor } from './changes/change';
export type { Applied } from './changes/configuration-changes';
export { openAdminServices, type AdminServices } from './services';

/** The admin pages: accounts and sessions of administrators, and the screens that change the configuration. */
export default class AdminModule implements Module {
  readonly name = 'admin';
  readonly needs = ['documentation'];
  readonly defaults: ConfigTree = {
    ...adminDefaults,
    ...administratorsSignInTo(ADMIN_API),
    view_manager: { template_map: adminTemplates() },
  };
  readonly schemas = { [ADMIN_KEY]: adminSettings };
  readonly services = new ContainerModule(({ bind }) => {
    bind(ADMINISTRATORS_ADAPTER).toResolvedValue(() => new AdministratorsAdapterFactory());
  });

  #admin: AdminServices | undefined;
  readonly apis: DeclaredApis = (configuration) =>
    configuration.section(ADMIN_KEY, adminSettings).enabled ? [adminApi(() => this.#opened)] : [];

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { configuration, services, lasting, router, events, warnings } = application;
    const settings = configuration.section(ADMIN_KEY, adminSettings);
    const networks = networksOf(settings, configuration);
    if (!settings.enabled) return;
    const administrators = new Administrators(path.resolve(configuration.root, settings.administrators));
    warnings.push(...(await administrators.faults()));
    const host = lasting.find(ApplicationHost);
    const admin = host === undefined ? undefined : openAdminServices(application, host);
    this.#admin = admin;
    const parts: PageParts = {
      router,
      settings,
      networks,
      administrators,
      paths: new AdminPaths(router.base),
      sessions: lasting.keep(Sessions, () => new Sessions()),
      changes: admin?.changes,
    };
    const routes = new PageRoutes(parts);
    const throttle = await services.get(Throttle);
    routes.addOpen([
      signInPage(parts, routes, throttle),
      claimPage(parts, routes, throttle, () => lasting.find(Claim)),
    ]);
    routes.add([
      signOutPage(parts, routes),
      accountPage(parts, routes, throttle),
      ...administratorsPages(parts),
      ...(admin === undefined ? [] : screens.flatMap((screen) => screen(admin))),
    ]);
    // For modules that bring pages of their own.
    services.set(PageRoutes, routes);
    (await services.get(Assets)).add(adminAssets());
    events.attachGroup(new PageListener(parts, routes));
    events.attachGroup(new AdminNetworkListener(networks));
    await announce(application, parts);
  }

  /** The API is declared before the module bootstraps, and called after. */
  get #opened(): AdminServices {
    if (this.#admin === undefined) throw new TypeError('This application cannot be replaced by another.');
    return this.#admin;
  }
}

/** @throws StartError that names the place of a network that is none */
function networksOf({ allow }: AdminSettings, configuration: Configuration): Networks {
  for (const [at, network] of allow.entries()) {
    try {
      new Networks([network]);
    } catch (error) {
      const key = [ADMIN_KEY, 'allow', at];
      const reason = error instanceof Error ? error.message : String(error);
      throw new StartError(`${configuration.sourceOf(key)}: ${ADMIN_KEY}.allow[${at}]: ${reason}`, {
        cause: error,
      });
    }
  }
  return new Networks(allow);
}

/** Who starts the service is told where the admin is, or how to become its first administrator. */
async function announce({ lasting, notices }: Application, parts: PageParts): Promise<void> {
  const { administrators, paths } = parts;
  if ((await administrators.names()).length > 0) {
    notices.push({ label: 'Admin', target: paths.home });
    return;
  }
  const { token } = lasting.keep(Claim, () => new Claim());
  if (token !== undefined)
    notices.push({ label: 'Admin, once', target: `${paths.url(CLAIM_PATH)}?token=${token}` });
}
