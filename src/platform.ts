/**
 * The public API of the package `apidesc-platform`, for authors of APIs and modules. Types that only the compiler
 * needs are in `public-types.ts` and `schema-types.ts`.
 */
import { loadOwnModules } from './loading/own-modules';

loadOwnModules(module, 'server');

import 'reflect-metadata';

// Schemas (TypeBox) and services (inversify).
export { Type, type Static } from '@sinclair/typebox';
export { ContainerModule, inject, injectable } from 'inversify';

// Definitions of APIs, services and operations.
export {
  type ApiDefinition,
  defineApi,
  defineProcedure,
  defineRestService,
  defineRpcService,
  enumOf,
  type OperationContext,
  type OperationDefinition,
  type OperationHooks,
  type Procedure,
  readOnly,
  type ResourceOf,
  type RouteParameters,
  type ServiceChange,
  type StaticEntity,
  type StaticInput,
  type TReadOnly,
  type TWriteOnly,
  type VersionDefinition,
  writeOnly,
} from './modules/hosting';

// Services over tables, and queries (Kysely).
export {
  type DatabaseAdapter,
  type DatabaseAdapterFactory,
  DatabaseError,
  defineProcedureService,
  defineTableService,
  type HookContext,
  type TableHooks,
  TableResource,
} from './modules/database';
export { type Generated, type Insertable, type Kysely, type Selectable, sql, type Updateable } from 'kysely';

// Resources and handlers: what they receive, and what they return.
export {
  type BodyValidator,
  type CollectionContext,
  comparing,
  created,
  currentContext,
  type CursorPage,
  type EntityPatch,
  type FieldError,
  type HandlerContext,
  mergePatch,
  type MergePatch,
  type Page,
  type PageRequest,
  type PatchContext,
  type Precondition,
  type ResourceContext,
  type RestResource,
  type Revision,
  ServerSentEvent,
  StreamedCollection,
  type ServerSentEventOptions,
  type SortKey,
  type StreamedEntities,
  type StreamType,
} from './modules/hosting';
export {
  fileField,
  type FileFieldOptions,
  HypermediaCollection,
  HypermediaEntity,
  type Link,
  type Links,
  UploadedFile,
} from './modules/content-negotiation';

// Authentication and authorization.
export {
  type AdapterFactory,
  AuthenticatedIdentity,
  type AuthenticationAdapter,
  type KnownUser,
  type AuthenticationAttempt,
  AuthenticationEvent,
  type AuthenticationRequest,
  type AuthenticationResult,
  AuthenticationUnavailable,
  AuthorizationEvent,
  type AuthorizationPolicy,
  type CredentialLocation,
  type DigestSource,
  type GroupSource,
  type Identity,
  type PasswordClient,
  type PasswordSource,
  type PolicyContext,
  type PolicyDecision,
  type PolicyOperation,
  type RequestOrigin,
  type SecurityScheme,
  type SentCredential,
} from './modules/mvc-auth';

// The documentation model, for formats and templates.
export {
  Api,
  ApiContent,
  ApiListContent,
  type DocumentationContent,
  Field,
  Operation,
  Service,
  ServiceContent,
} from './modules/documentation';

// Modules and the application.
export {
  Application,
  ApplicationEvent,
  type ApplicationEvents,
  type BackgroundTask,
  BackgroundWork,
  BootstrapEvent,
  buildApplication,
  defineModule,
  type Module,
  Services,
  SharedState,
} from './framework';

// Configuration.
export { type ConfigObject, Configuration, ConfigurationError, type ConfigValue } from './framework';

// Events, listeners and their order.
export {
  andThen,
  applicationEvents,
  errorEvents,
  Event,
  EventManager,
  isThenable,
  type Listener,
  type ListenerGroup,
  Listeners,
  type MaybePromise,
  type Observer,
  Observers,
  priorities,
  requestEvents,
  ResultCollection,
} from './framework';

// Requests, responses and routes.
export {
  type CookieOptions,
  Cookies,
  type Endpoint,
  essence,
  type Log,
  type MediaType,
  MethodTable,
  MvcEvent,
  negotiate,
  Negotiator,
  parseMediaType,
  Request,
  type CertificateName,
  type ClientCertificate,
  Response,
  Router,
  serializeCookie,
} from './framework';

// Problems (RFC 9457).
export { type ErrorCode, errors, Problem, problem, type ProblemOptions } from './framework';

// Views: models, strategies, renderers and templates.
export { JsonModel } from './modules/content-negotiation';
export { HalJsonModel } from './modules/hal';
export {
  isCacheable,
  JsonRenderer,
  JsonStrategy,
  NunjucksRenderer,
  NunjucksStrategy,
  ProblemModel,
  registerStrategy,
  registerStrategyAtRender,
  type Renderer,
  STRATEGY_PRIORITY,
  TemplateMap,
  View,
  ViewEvent,
  type ViewHelper,
  ViewHelpers,
  ViewModel,
  type ViewModelClass,
  ViewStrategy,
} from './framework';

// Starting the platform from a program.
export { ApplicationHost, type InjectedRequest, Kernel, Server } from './framework';
export { type ProgramOptions, type RunningPlatform, startPlatform, type StartOptions } from './start';

// Mounting the platform in the server of a program.
export {
  createHandler,
  type HandlerOptions,
  type MountedHandler,
  type NodeHandler,
} from './mount/create-handler';
export type { MountedPlatform } from './mount/mounted-platform';
export {
  createFetchHandler,
  type FetchHandler,
  type FetchHandlerOptions,
} from './mount/create-fetch-handler';
export type { MountOptions } from './mount/mount-options';

export type * from './public-types';
export type * from './schema-types';
