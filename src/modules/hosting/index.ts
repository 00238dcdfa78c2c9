import type { BootstrapEvent, ConfigObject, Module } from '../../framework';
import { serviceKindsOf } from './definition/service-kind';
import { hostApis } from './host-apis';
import { RATE_LIMITS_KEY, rateLimitSettings } from './rate-limits/rate-limit-settings';
import { hostingDefaults, hostingSettings, type HostingSettings } from './settings';
import { HOSTING_KEY } from './hosting-key';

export { Catalogue } from './catalogue';
export { EventContext, type HandlerContext, type UnknownParameters } from './context';
export { currentContext, findCurrentContext } from './current-context';
export { failedOperation } from './compile/operation/failed-operation';
export { isPageMember } from './definition/checks/collection-name';
export { overlay } from './definition/overlay';
// This export also brings the augmented framework types to importers of the package.
export { collectDefinitions, resolveDeclaredApis, type DeclaredApis } from './definition/definitions';
export { deferServices } from './definition/deferred-services';
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
export { formatId, identifierMembers, isAddressable, routeIdentifiers } from './rest/identifier';
export type { EntityId } from './definition/entity-id';
export { mergePatch, type MergePatch } from './rest/patch/merge-patch';
export type { NamedRevisions, Precondition } from './conditional/precondition';
export type { Revision } from './conditional/revision';
export { csvHeader, csvLine } from './streaming/csv';
export { StreamedCollection } from './streaming/streamed-collection';
export { ServerSentEvent, type ServerSentEventOptions } from './streaming/server-sent-event';
export type { StreamType } from './streaming/stream-types';
export { isBasePath } from './compile/compile-api';
export { servicePattern } from './compile/service-routes';
export { QUERY_SEGMENT } from './versions/query-route';
export type { Lifecycle } from './versions/lifecycle';
export { isVersionNumber, parseVersionNumber, VERSION_NUMBERS } from './versions/version-number';
export type { RouteParameters } from './versions/route-parameters';
export type { HostedApi, HostedEndpoint, HostedService, HostedVersion } from './hosted-endpoint';
export type { ServicePart } from './definition/service-part';
export { NOT_IMPLEMENTED } from './rpc/rpc-handler';
export { isMediaType } from './responses/response-type';
export { isProcedureStatus } from './rpc/rpc-handler';
export { API_NAME } from './settings';
export { HOSTING_KEY } from './hosting-key';
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
  #settings: HostingSettings | undefined;

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    await hostApis(application, this.#settingsOf(application.modules));
  }

  /** Includes the kinds of services that the modules add; created once, as the configuration holds the same schema. */
  #settingsOf(modules: readonly Module[]): HostingSettings {
    return (this.#settings ??= hostingSettings(serviceKindsOf(modules)));
  }
}
