import type { BootstrapEvent, ConfigTree, Module } from '../../framework';
import { Selectors } from '../content-negotiation';
import { Validators } from '../content-validation';
import { AccessRules, Guards } from '../mvc-auth';
import { Catalogue } from './catalogue';
import { addRoutes, compileApi } from './compile';
import { collectDefinitions } from './definitions';
import { References } from './references';
import { VersionListener } from './service-route';
import { HOSTING_KEY, hostingDefaults, hostingSettings } from './settings';

export { Catalogue } from './catalogue';
export type { HandlerContext } from './context';
// What it adds to the framework's types, for those who import the package.
export type {} from './definitions';
export {
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  type ApiDefinition,
  type RpcHandler,
  type ServiceDefinition,
} from './definition';
export type { HostedApi, HostedEndpoint, HostedService, HostedVersion } from './hosted-endpoint';
export type { CollectionContext, Page, PageRequest, RestResource } from './resource';

/** Hosts REST and RPC APIs in versions. */
export default class HostingModule implements Module {
  readonly name = 'hosting';
  readonly needs = ['content-negotiation', 'content-validation', 'mvc-auth'];
  readonly defaults: ConfigTree = hostingDefaults;
  readonly schemas = { [HOSTING_KEY]: hostingSettings };

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, modules, router, events, warnings } = application;
    const guards = await services.get(Guards);
    const rules = await services.get(AccessRules);
    const tools = {
      guards,
      rules,
      selectors: await services.get(Selectors),
      validators: await services.get(Validators),
      references: new References(services),
    };
    const apis = [];
    for (const definition of collectDefinitions(modules, configuration)) {
      const api = await compileApi(definition, tools, router);
      addRoutes(api, router);
      apis.push(api);
    }
    const catalogue = new Catalogue(apis);
    guards.assertKnown(
      catalogue.services.map(({ api, version, name: service }) => ({ api, version, service })),
    );
    rules.assertKnown(
      catalogue.services
        .flatMap(({ operations, entityOperations }) => [...operations, ...entityOperations])
        .map(({ part, ...operation }) => ({ ...operation, part: part === 'rpc' ? undefined : part })),
    );
    warnings.push(...catalogue.closedForGood());
    services.set(Catalogue, catalogue);
    events.attachGroup(new VersionListener());
  }
}
