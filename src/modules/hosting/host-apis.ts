import {
  ConfigurationError,
  ConfigurationErrors,
  pauseIfDue,
  runCooperatively,
  viewSettings,
  type Application,
} from '../../framework';
import { Selectors } from '../content-negotiation';
import { Validators } from '../content-validation';
import { AccessRules, Guards, Policies } from '../mvc-auth';
import { Catalogue } from './catalogue';
import { compileApi, type ApiCompileContext } from './compile/compile-api';
import { DefinitionResolver } from './compile/definition-resolver';
import { addRoutes } from './compile/service-routes';
import { assertNoShadowedRoutes } from './compile/shadowed-routes';
import { SharedPolicies } from './compile/shared-policies';
import type { CorsPolicy } from './cors/cors';
import { CorsListeners } from './cors/cors-listeners';
import { withServices } from './definition/deferred-services';
import { definitionsToCompile } from './definition/definitions';
import { ServiceKinds } from './definition/service-kind';
import { GroupedWarnings } from './grouped-warnings';
import type { HostedApi } from './hosted-endpoint';
import { attachRateLimits, rateLimitsOf } from './rate-limits/attach-rate-limits';
import { ResponseMatchers } from './response-matcher/response-matcher';
import { ResponseChecks } from './responses/response-checks';
import { schemaWarnings } from './schema/schema-warnings';
import { DEFAULT_SELECTOR, JSON_TYPE } from './request-types';
import type { HostingSettings } from './settings';
import { HOSTING_KEY } from './hosting-key';
import { DEFAULT_HEARTBEAT } from './streaming/streaming-handler';
import { DEFAULT_TIMEOUT } from './timeout';
import { LifecycleListener } from './versions/lifecycle-listener';
import { VersionListener } from './versions/service-route';

/**
 * Compiles the APIs of modules and configuration, adds their routes, and attaches the listeners that they need.
 * @param schema of the section `platform-hosting`
 * @throws ConfigurationError that lists what is wrong with each API
 */
export async function hostApis(application: Application, schema: HostingSettings): Promise<void> {
  const { services, warnings } = application;
  const context = await compileContextOf(application, schema);
  const apis = await compileApis(application, context);
  const catalogue = new Catalogue(apis);
  assertNoShadowedRoutes(apis);
  await pauseIfDue();
  const checked = checkNames(catalogue, context);
  await pauseIfDue();
  services.set(Catalogue, catalogue);
  warnings.push(
    ...context.warnings.all,
    ...checked.inaccessibleWarnings(),
    ...notOfferedWarnings(catalogue, context.selectors),
    ...(await runCooperatively(schemaWarnings(checked.services, !context.checks.isOff))),
  );
  attachListeners(application, apis);
  attachRateLimits(application, context.rateLimits, () => catalogue.operations);
}

/**
 * Checks the names that the configuration has of APIs and their parts. Returns what else is to be checked: not what is
 * compiled on first use, unless the configuration has names of it, or neither an adapter nor a selector for it.
 * @throws ConfigurationError for an adapter mapping, a rate limit or an access rule that names what is not hosted
 */
function checkNames(all: Catalogue, context: ApiCompileContext): Catalogue {
  const others = all.withoutDeferred();
  try {
    assertNamesExist(others, context);
    const isGuarded = all.apis.every(
      ({ name: api, versions, isDeferred }) =>
        !isDeferred ||
        versions.every(({ version }) => context.guards.of({ api, version, service: '' }) !== undefined),
    );
    // Services of the platform name no selector.
    const isOffered = context.selectors.all.get(DEFAULT_SELECTOR)?.mediaTypes.includes(JSON_TYPE) === true;
    if (isGuarded && isOffered) return others;
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    assertNamesExist(all, context);
  }
  return all;
}

async function compileApis(
  { modules, configuration, router }: Application,
  context: ApiCompileContext,
): Promise<readonly HostedApi[]> {
  const apis: HostedApi[] = [];
  const errors = new ConfigurationErrors();
  for (const declared of definitionsToCompile(modules, configuration)) {
    await errors.collectAsync(async () => {
      // A rule may name a policy, which is resolved asynchronously.
      const definition = context.rules.hasRulesFor(declared.name) ? withServices(declared) : declared;
      const api = await compileApi(definition, context, router);
      await addRoutes(api, router);
      apis.push(api);
    });
  }
  errors.assertNone();
  return apis;
}

async function compileContextOf(
  application: Application,
  schema: HostingSettings,
): Promise<ApiCompileContext> {
  const { services, configuration, log } = application;
  const settings = configuration.section(HOSTING_KEY, schema);
  const { display_exceptions: isDevelopment } = configuration.section('view_manager', viewSettings);
  const checks = new ResponseChecks(settings.check_responses ?? (isDevelopment ? 'report' : 'count'), log);
  services.set(ResponseChecks, checks);
  return {
    configuration,
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
    warnings: new GroupedWarnings(),
  };
}

/**
 * A service without a selector has the default one without what is added to it: the result may be meant for all. Those that
 * are compiled on first use have no selector.
 */
function notOfferedWarnings(catalogue: Catalogue, { all }: Selectors): readonly string[] {
  const { operations } = catalogue.withoutDeferred();
  const hasNone = operations.length === 0 && !catalogue.apis.some(({ isDeferred }) => isDeferred);
  const offered = new Set(operations.flatMap(({ negotiation }) => negotiation.selector.mediaTypes));
  const added = (all.get(DEFAULT_SELECTOR)?.mediaTypes ?? []).filter((type) => type !== JSON_TYPE);
  const others = added.filter((type) => !offered.has(type));
  return hasNone || others.length === 0
    ? []
    : [
        `The selector "${DEFAULT_SELECTOR}" has ${others.join(', ')}, which no service offers. Write selector: "${DEFAULT_SELECTOR}" in the services that should: those that name no selector respond with ${JSON_TYPE} only. For those that name another one, add it there.`,
      ];
}

function assertNamesExist(
  { services, operations }: Catalogue,
  { guards, rules, rateLimits }: Pick<ApiCompileContext, 'guards' | 'rules' | 'rateLimits'>,
): void {
  guards.assertKnown(services.map(({ api, version, name: service }) => ({ api, version, service })));
  rateLimits.assertKnown(operations);
  rules.assertKnown(
    operations.map(({ api, version, service, part, method }) => ({
      api,
      version,
      service,
      part: part === 'rpc' ? undefined : part,
      method,
    })),
  );
}

/** Attaches the listeners that the APIs need: those for CORS and deprecation only where an API declares it. */
function attachListeners({ events, router }: Application, apis: readonly HostedApi[]): void {
  events.attachGroup(new VersionListener());
  const policies = apis.flatMap(({ name, cors }): [string, CorsPolicy][] => (cors ? [[name, cors]] : []));
  if (policies.length > 0) events.attachGroup(new CorsListeners(new Map(policies)));
  const hasLifecycle = apis.some(({ versions }) => versions.some(({ lifecycle }) => lifecycle !== undefined));
  if (hasLifecycle) events.attachGroup(new LifecycleListener(router));
}
