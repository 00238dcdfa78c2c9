import {
  ConfigurationErrors,
  Deployment,
  formatKeyPath,
  pauseIfDue,
  runCooperatively,
  viewSettings,
  type Application,
  type BootstrapEvent,
  type ConfigObject,
  type Module,
} from '../../framework';
import { Selectors } from '../content-negotiation';
import { Validators } from '../content-validation';
import { AccessRules, Guards, Policies, RateLimitState } from '../mvc-auth';
import { Catalogue } from './catalogue';
import { addRoutes, compileApi, type ApiCompileContext } from './compile/compile-api';
import { assertNoShadowedRoutes } from './compile/shadowed-routes';
import type { CorsPolicy } from './cors/cors';
import { CorsListeners } from './cors/cors-listeners';
import { ServiceKinds, serviceKindsOf } from './definition/service-kind';
import { collectDefinitions } from './definition/definitions';
import { LifecycleListener } from './versions/lifecycle-listener';
import { DefinitionResolver } from './compile/definition-resolver';
import type { HostedApi } from './hosted-endpoint';
import { ResponseMatchers } from './response-matcher/response-matcher';
import { ResponseChecks } from './responses/response-checks';
import { SharedPolicies } from './compile/shared-policies';
import { VersionListener } from './versions/service-route';
import { slowPatternWarnings, unknownFormatWarnings } from './schema/schema-warnings';
import { DEFAULT_HEARTBEAT } from './streaming/streaming-handler';
import { RateLimitListeners } from './rate-limits/rate-limit-listeners';
import { rateLimitMeasurements } from './rate-limits/rate-limit-measurements';
import { RATE_LIMITS_KEY, rateLimitSettings } from './rate-limits/rate-limit-settings';
import { RateLimits } from './rate-limits/rate-limits';
import { HOSTING_KEY, hostingDefaults, hostingSettings } from './settings';
import { DEFAULT_TIMEOUT } from './timeout';

export { Catalogue } from './catalogue';
export { EventContext, type HandlerContext, type UnknownParameters } from './context';
export { currentContext, findCurrentContext } from './current-context';
export { failedOperation } from './compile/operation/failed-operation';
// This export also brings the augmented framework types to importers of the package.
export { isPageMember } from './definition/checks/collection-name';
export { overlay } from './definition/overlay';
export { collectDefinitions, resolveDeclaredApis, type DeclaredApis } from './definition/definitions';
export { defineApi, defineProcedure, defineRestService, defineRpcService } from './definition/define';
export type { Procedure, ProcedureResult } from './definition/typed-procedure';
export type {
  ResourceOf,
  RestDeclaration,
  TypedResource,
  TypedRestService,
} from './definition/typed-resource';
export { isHosted, operationId, operationName } from './operation-name';
export type {
  ApiDefinition,
  Contact,
  CustomServices,
  RestServiceDefinition,
  RpcServiceDefinition,
  ServiceChange,
  ServiceDefinition,
  ServiceReference,
  VersionDefinition,
} from './definition/definition';
export type { ServiceKind, ServiceKindContext } from './definition/service-kind';
export type { CorsDefinition } from './cors/cors';
export type {
  CollectionOperationDefinition,
  ObjectSchema,
  OperationDefinition,
  ProcedureDefinition,
  RpcHandler,
  ValidatorReference,
  StatusDefinition,
} from './definition/operation-definition';
export {
  operationHookNames,
  type HookedOperation,
  type OperationContext,
  type OperationHooks,
} from './hooks/operation-hooks';
export { resolveHooks } from './hooks/resolve-hooks';
export { createResource } from './compile/create-resource';
export type { BodyValidator, FieldError } from './compile/operation/body-validator';
export { ResponseChecks } from './responses/response-checks';
export { created, Created } from './rest/created';
export { formatId, isAddressable, type EntityId } from './rest/identifier';
export { mergePatch, type MergePatch } from './rest/patch/merge-patch';
export type { NamedRevisions, Precondition } from './conditional/precondition';
export type { Revision } from './conditional/revision';
export { csvHeader, csvLine } from './streaming/csv';
export { StreamedCollection } from './streaming/streamed-collection';
export { ServerSentEvent, type ServerSentEventOptions } from './streaming/server-sent-event';
export type { StreamType } from './streaming/stream-types';
export { isBasePath, servicePattern } from './compile/compile-api';
export { QUERY_SEGMENT } from './versions/query-route';
export type { Lifecycle } from './versions/lifecycle';
export { isVersionNumber, parseVersionNumber, VERSION_NUMBERS } from './versions/version-number';
export type { RouteParameters } from './versions/route-parameters';
export type { HostedApi, HostedEndpoint, HostedService, HostedVersion, ServicePart } from './hosted-endpoint';
export { NOT_IMPLEMENTED } from './rpc/rpc-handler';
export { isMediaType } from './responses/response-type';
export { isProcedureStatus } from './rpc/rpc-handler';
export { API_NAME, HOSTING_KEY } from './settings';
export { describeLimit } from './rate-limits/describe-limit';
export { RATE_LIMITS_KEY, rateLimitSettings, type RateLimit } from './rate-limits/rate-limit-settings';
export { rateLimitKeys, type AppliedLimit, type OperationLimits } from './rate-limits/rate-limits';
export { comparing, type SortKey } from './rest/sort';
export { enumOf } from './members/enum-of';
export { documentedFields } from './members/schema-variants';
export {
  readOnly,
  type StaticEntity,
  type StaticInput,
  type TReadOnly,
  type TWriteOnly,
  writeOnly,
} from './members/static-members';
export type {
  AnyResource,
  CollectionContext,
  CursorPage,
  EntityPatch,
  Page,
  PageRequest,
  PatchContext,
  ResourceContext,
  RestResource,
  StreamedEntities,
} from './definition/resource';

/** Hosts REST and RPC APIs in versions. */
export default class HostingModule implements Module {
  readonly name = 'hosting';
  readonly moduleMembers = ['apis', 'serviceKinds'];
  readonly requires = ['content-negotiation', 'content-validation', 'mvc-auth'];
  readonly defaults: ConfigObject = { ...hostingDefaults, [RATE_LIMITS_KEY]: {} };
  readonly schemas = (modules: readonly Module[]) => ({
    [HOSTING_KEY]: this.#settingsOf(modules),
    [RATE_LIMITS_KEY]: rateLimitSettings,
  });
  #settings: ReturnType<typeof hostingSettings> | undefined;

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, modules, router, warnings } = application;
    const context = await compileContextOf(application, this.#settingsOf(application.modules));
    const apis: HostedApi[] = [];
    const errors = new ConfigurationErrors();
    for (const definition of collectDefinitions(modules, configuration)) {
      await errors.collectAsync(async () => {
        const api = await compileApi(definition, context, router);
        await addRoutes(api, router);
        apis.push(api);
      });
    }
    errors.assertNone();
    assertNoShadowedRoutes(apis);
    const catalogue = new Catalogue(apis);
    await pauseIfDue();
    assertAuthorizationMatches(catalogue, context);
    await pauseIfDue();
    services.set(Catalogue, catalogue);
    warnings.push(
      ...catalogue.inaccessibleWarnings(),
      ...(await runCooperatively(slowPatternWarnings(catalogue.services, !context.checks.isOff))),
      ...(await runCooperatively(unknownFormatWarnings(catalogue.services))),
    );
    attachListeners(application, apis);
    attachRateLimits(application, context.rateLimits);
  }

  /** Includes the kinds of services that the modules add; created once, as the configuration holds the same schema. */
  #settingsOf(modules: readonly Module[]): ReturnType<typeof hostingSettings> {
    return (this.#settings ??= hostingSettings(serviceKindsOf(modules)));
  }
}

async function compileContextOf(
  application: Application,
  schema: ReturnType<typeof hostingSettings>,
): Promise<ApiCompileContext> {
  const { services, configuration, log } = application;
  const settings = configuration.section(HOSTING_KEY, schema);
  const { display_exceptions: isDevelopment } = configuration.section('view_manager', viewSettings);
  const checks = new ResponseChecks(settings.check_responses ?? (isDevelopment ? 'report' : 'count'), log);
  services.set(ResponseChecks, checks);
  return {
    guards: await services.get(Guards),
    rules: await services.get(AccessRules),
    policies: await services.get(Policies),
    rateLimits: rateLimitsOf(application),
    selectors: await services.get(Selectors),
    negotiationPolicies: new SharedPolicies(),
    validators: await services.get(Validators),
    resolver: new DefinitionResolver(services, application.lifecycles),
    kinds: new ServiceKinds(application),
    checks,
    matchers: new ResponseMatchers(),
    timeout: settings.timeout ?? DEFAULT_TIMEOUT,
    heartbeat: settings.heartbeat ?? DEFAULT_HEARTBEAT,
    contextStorage: settings.context_storage ?? false,
  };
}

/** @throws ConfigurationError for an adapter mapping or an access rule that names an unknown service or operation */
function assertAuthorizationMatches(
  { services }: Catalogue,
  { guards, rules, rateLimits }: Pick<ApiCompileContext, 'guards' | 'rules' | 'rateLimits'>,
): void {
  guards.assertKnown(services.map(({ api, version, name: service }) => ({ api, version, service })));
  const all = services.flatMap(({ operations, entityOperations }) => [...operations, ...entityOperations]);
  rateLimits.assertKnown(all);
  rules.assertKnown(
    all.map(({ api, version, service, part, method }) => ({
      api,
      version,
      service,
      part: part === 'rpc' ? undefined : part,
      method,
    })),
  );
}

/** The usage survives reloads, which change the limits. */
function rateLimitsOf({ configuration, sharedState }: Application): RateLimits {
  return new RateLimits(
    configuration.section(RATE_LIMITS_KEY, rateLimitSettings),
    sharedState.getOrCreate(RateLimitState, () => new RateLimitState()),
    (...below) => {
      const path = [RATE_LIMITS_KEY, ...below];
      return `${configuration.sourceOf(path)}: ${formatKeyPath(path)}`;
    },
  );
}

function attachRateLimits(
  { events, sharedState, measurements, warnings, configuration }: Application,
  { isEmpty, firstExact }: RateLimits,
): void {
  const state = sharedState.getOrCreate(RateLimitState, () => new RateLimitState());
  measurements.push(...rateLimitMeasurements(state));
  const deployment = sharedState.getOrCreate(Deployment, () => new Deployment());
  if (firstExact !== undefined && deployment.store === undefined) {
    const path = [RATE_LIMITS_KEY, ...firstExact, 'exact'];
    warnings.push(
      `${configuration.sourceOf(path)}: ${formatKeyPath(path)} has no effect without platform-cluster.redis.url: a single process is exact, and its workers merge what they count.`,
    );
  }
  if (!isEmpty) events.attachGroup(new RateLimitListeners(state, deployment));
}

/** Attaches the listeners that the APIs need: those for CORS and deprecation only where an API declares it. */
function attachListeners({ events, router }: Application, apis: readonly HostedApi[]): void {
  events.attachGroup(new VersionListener());
  const policies = apis.flatMap(({ name, cors }): [string, CorsPolicy][] => (cors ? [[name, cors]] : []));
  if (policies.length > 0) events.attachGroup(new CorsListeners(new Map(policies)));
  const hasLifecycle = apis.some(({ versions }) => versions.some(({ lifecycle }) => lifecycle !== undefined));
  if (hasLifecycle) events.attachGroup(new LifecycleListener(router));
}
