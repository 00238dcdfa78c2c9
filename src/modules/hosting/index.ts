import { viewSettings, type BootstrapEvent, type ConfigTree, type Module } from '../../framework';
import { Selectors } from '../content-negotiation';
import { Validators } from '../content-validation';
import { AccessRules, Guards, Policies } from '../mvc-auth';
import { Catalogue } from './catalogue';
import { addRoutes, compileApi } from './compile';
import type { CorsPolicy } from './cors';
import { CorsListeners } from './cors-listeners';
import { collectDefinitions } from './definitions';
import { LifecycleListener } from './lifecycle-listener';
import { References } from './references';
import { ResponseChecks } from './response-checks';
import { SharedPolicies } from './shared-policies';
import { VersionListener } from './service-route';
import { slowPatterns } from './slow-patterns';
import { unknownFormats } from './unknown-formats';
import { DEFAULT_HEARTBEAT } from './streamed';
import { HOSTING_KEY, hostingDefaults, hostingSettings } from './settings';
import { DEFAULT_TIMEOUT } from './timeout';

export { Catalogue } from './catalogue';
export { EventContext, type HandlerContext } from './context';
export { currentContext } from './current-context';
// With it comes what is added to the framework's types, for those who import the package.
export { collectDefinitions, toList, type DeclaredApis } from './definitions';
export { defineApi, defineProcedure, defineRestService, defineRpcService } from './define';
export type { ApiDefinition, ServiceChange, ServiceDefinition, VersionDefinition } from './definition';
export type { OperationDefinition, ProcedureDefinition, RpcHandler } from './operation-definition';
export type { BodyValidator, FieldError } from './body-validator';
export { ResponseChecks } from './response-checks';
export { created, Created } from './created';
export { mergePatch, type MergePatch } from './merge-patch';
export type { NamedRevisions, Precondition } from './precondition';
export type { Revision } from './revision';
export { SentEvent, type SentEventOptions } from './sent-event';
export type { StreamType } from './stream-types';
export { isBasePath, servicePattern } from './compile';
export type { RouteParameters } from './route-parameters';
export type { HostedApi, HostedEndpoint, HostedService, HostedVersion, Part } from './hosted-endpoint';
export { NOT_IMPLEMENTED } from './not-implemented';
export { isMediaType } from './response-type';
export { isProcedureStatus } from './rpc-handler';
export { HOSTING_KEY } from './settings';
export { comparing, type SortKey } from './sort';
export type {
  CollectionContext,
  CursorPage,
  EntityPatch,
  Page,
  PageRequest,
  PatchContext,
  ResourceContext,
  RestResource,
  StreamedEntities,
} from './resource';

/** Hosts REST and RPC APIs in versions. */
export default class HostingModule implements Module {
  readonly name = 'hosting';
  readonly needs = ['content-negotiation', 'content-validation', 'mvc-auth'];
  readonly defaults: ConfigTree = hostingDefaults;
  readonly schemas = { [HOSTING_KEY]: hostingSettings };

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, modules, router, events, warnings, log } = application;
    const guards = await services.get(Guards);
    const rules = await services.get(AccessRules);
    const {
      timeout = DEFAULT_TIMEOUT,
      heartbeat = DEFAULT_HEARTBEAT,
      check_responses: mode,
      context_storage: contextStorage = false,
    } = configuration.section(HOSTING_KEY, hostingSettings);
    const { display_exceptions: isDevelopment } = configuration.section('view_manager', viewSettings);
    const checks = new ResponseChecks(mode ?? (isDevelopment ? 'report' : 'count'), log);
    services.set(ResponseChecks, checks);
    const tools = {
      guards,
      rules,
      policies: await services.get(Policies),
      selectors: await services.get(Selectors),
      negotiations: new SharedPolicies(),
      validators: await services.get(Validators),
      references: new References(services),
      checks,
      timeout,
      heartbeat,
      contextStorage,
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
    const { services: hosted } = catalogue;
    warnings.push(...catalogue.closedForGood(), ...slowPatterns(hosted), ...unknownFormats(hosted));
    services.set(Catalogue, catalogue);
    events.attachGroup(new VersionListener());
    const policies = apis.flatMap(({ name, cors }): [string, CorsPolicy][] => (cors ? [[name, cors]] : []));
    if (policies.length > 0) events.attachGroup(new CorsListeners(new Map(policies)));
    const isLeaving = apis.some(({ versions }) => versions.some(({ lifecycle }) => lifecycle !== undefined));
    if (isLeaving) events.attachGroup(new LifecycleListener(router));
  }
}
