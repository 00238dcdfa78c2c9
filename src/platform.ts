/**
 * The public face of the package `apidesc-platform`: what authors of APIs and modules import.
 */
import 'reflect-metadata';

export { ContainerModule, inject, injectable } from 'inversify';
export { Type, type Static } from '@sinclair/typebox';
export * from './framework';
export {
  fileField,
  type FileFieldOptions,
  HypermediaCollection,
  HypermediaEntity,
  JsonModel,
  type Link,
  type Links,
  UploadedFile,
} from './modules/content-negotiation';
export { HalJsonModel } from './modules/hal';
export {
  Api,
  ApiContent,
  ApiListContent,
  Field,
  Operation,
  Service,
  ServiceContent,
  type DocumentationContent,
} from './modules/documentation';
export {
  comparing,
  created,
  currentContext,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  type ApiDefinition,
  type BodyValidator,
  type CollectionContext,
  type CursorPage,
  type EntityPatch,
  type FieldError,
  type HandlerContext,
  mergePatch,
  type MergePatch,
  type OperationDefinition,
  type Page,
  type PageRequest,
  type PatchContext,
  type Precondition,
  type ResourceContext,
  type RestResource,
  type Revision,
  type RouteParameters,
  SentEvent,
  type SentEventOptions,
  type ServiceChange,
  type SortKey,
  type StreamedEntities,
  type StreamType,
  type VersionDefinition,
} from './modules/hosting';
export {
  type AdapterFactory,
  AuthenticatedIdentity,
  type AuthenticationAdapter,
  type AuthenticationAttempt,
  AuthenticationEvent,
  type AuthenticationRequest,
  type AuthenticationResult,
  AuthorizationEvent,
  type AuthorizationPolicy,
  type Identity,
  type PolicyContext,
  type PolicyDecision,
  type PolicyOperation,
} from './modules/mvc-auth';
export { startPlatform, type RunningPlatform, type StartOptions } from './start';
