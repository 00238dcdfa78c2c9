/** The exports of the framework for modules, grouped by topic. */

// Events, listeners and observers.
export type { CallObserver, ListenerCall } from './events/call-observer';
export { Event } from './events/event';
export type {
  ListenerDecorator,
  ListenerDescription,
  ListenerRegistration,
} from './events/listener-registration';
export { type ListenerSource, Attribution, FRAMEWORK } from './events/attribution';
export { EventManager, type Listener, type ListenerGroup } from './events/event-manager';
export { Listeners } from './events/listener-group';
export { pauseIfDue, runCooperatively, runCooperativelyOnce, wrapSlices } from './events/cooperative';
export { andThen, isThenable, mapInTurn, recoverFrom, type MaybePromise } from './events/maybe-promise';
export { type Observer, type ObserverDescription, Observers } from './events/observers';
export { type MaybeResults, ResultCollection, type Until } from './events/result-collection';

// The application: modules, configuration, services.
export { Application } from './application/application';
export type { ApplicationParts, DeferredService, Notice } from './application/application-parts';
export type { ActivationResult } from './application/host/activation';
export { ApplicationHost } from './application/host/application-host';
export type { BuildOptions, HostOptions } from './application/host/host-options';
export type { ConfigurationSnapshot } from './application/host/configuration-snapshot';
export type { PreparedReplicas, Replicas } from './application/host/replicas';
export {
  unavailableOf,
  type Dependency,
  type Measurement,
  type MeasurementLabels,
} from './application/monitoring';
export { buildApplication, type ApplicationOptions } from './application/build-application';
export { bindModules } from './application/modules/bind-modules';
export {
  ApplicationEvent,
  type ApplicationEvents,
  BootstrapEvent,
  type ModuleEvents,
  type Observations,
  type ReloadOutcome,
} from './application/events';
export { BackgroundRuns } from './application/background/background-runs';
export type { BackgroundTask, Interval, TaskContext } from './application/background/background-task';
export { leaveInBackground } from './application/background/background-runs';
export { BackgroundWork } from './application/background/background-work';
export type { LifecyclePart, Startable } from './application/background/lifecycles';
export { Schedules } from './application/background/schedules';
export { injectInto } from './http/inject/inject-into';
export {
  toFieldLines,
  requestOptionNames,
  serializeRequest,
  type InjectedRequest,
} from './http/inject/injected-request';
export { SharedState } from './application/shared-state';
export { CountPeers } from './deployment/count-peers';
export { Deployment, type DeploymentStore } from './deployment/deployment';
export { DeploymentKeys } from './deployment/deployment-keys';
export {
  type ClaimResult,
  type DeploymentState,
  DeploymentUnavailable,
  type IssuedNonce,
  type NonceCounter,
} from './deployment/deployment-state';
export type { ExactCounts, LimitResult, LimitUse, SignInResult, SignInUse } from './deployment/exact-counts';
export { MemoryState } from './deployment/memory-state';
export { ProcessLoad } from './deployment/process-load';
export { Sealer } from './deployment/sealer';
export type { SharedDocuments } from './deployment/shared-documents';
export { loadConfiguration, schemasOf } from './application/load-configuration';
export { loadModules } from './application/modules/load-modules';
export { defineModule, type Module } from './application/modules/module';
export type { BuiltInModules, LoadedModule } from './application/modules/module-list';
export { inDependencyOrder } from './application/modules/module-order';
export { registerStrategy, registerStrategyAtRender } from './application/register-strategy';
export { errorsUrlOf } from './application/errors-url';
export { listenOrigin, publicUrlOf } from './application/public-url';
export { logSettings, serverSettings, viewSettings } from './application/settings';
export { check } from './config/check';
export { isSecretName, isSecretSchema } from './config/annotations';
export { schemaErrors, type SchemaError } from './json-schema/matches-schema';
export { Configuration, type FoundIssues } from './config/configuration';
export type { SectionSchemas } from './json-schema/schema-tree';
export { type ConfigEdit, editInSteps, editText } from './json/edit-text';
export type { Environment, WrittenValue } from './config/layers/environment';
export { isAbortError } from './errors/is-abort-error';
export { requirePackage } from './errors/require-package';
export { isSystemError, systemErrorCode } from './errors/system-error-code';
export type { ExplainedValue } from './config/effective-values';
export { type Layer, type LayerOptions, LOCAL_FILE } from './config/layers/layer';
export { withoutNulls } from './config/layers/merge';
export {
  escapeReferences,
  hasReferencesOnly,
  mayHaveReferences,
  referencedNames,
} from './config/layers/references';
export type { ProgramConfiguration } from './config/layers/program-layer';
export type { JsonPositions } from './json/json-positions';
export { type JsonFile, parseConfiguration, parseJsonText, withoutSchemaKey } from './json/json-file';
export { runSync, type Steps } from './values/steps';
export { ConfigurationChanged, ConfigurationFile, type TaggedText } from './config/configuration-file';
export {
  LocalConfiguration,
  type ConfigurationRepository,
  type LockedConfiguration,
  type RevisionAuthor,
} from './config/local-configuration';
export { compilePattern, isPattern } from './json-schema/pattern';
export { describeSizeLimit } from './json-schema/size-limits';
export { closestMatch, didYouMean } from './text/closest-match';
export { formatColumns } from './text/columns';
export { listNames, MAX_NAMES } from './text/list-names';
export { listItems } from './text/list-items';
export { pluralize } from './text/pluralize';
export { unknownOptions } from './text/unknown-options';
export { printable, printableLines } from './text/printable';
export { positionAt, type TextPosition } from './text/text-position';
export { publishedSchema } from './config/published-schema';
export { inlinedSchema, MAX_INLINED } from './json-schema/inlined-schema';
export { merged } from './json-schema/merged-schema';
export {
  definitionPath,
  definitionReference,
  dereference,
  findCircularReference,
  resolveReference,
  withDefinitions,
  type Definitions,
} from './json-schema/resolve-reference';
export { tagOfText, type Revision, type RevisionEntry, type TaggedRevision } from './config/revisions';
export {
  ConfigurationUnavailable,
  RolloutRefused,
  type DeploymentNode,
  type DeploymentNodes,
  type FilePublication,
  type NodeRefusal,
  type SharedConfiguration,
} from './config/shared-configuration';
export { ConfigurationError } from './errors/configuration-error';
export { ConfigurationErrors } from './errors/configuration-errors';
export { errorMessage, toError } from './errors/error-message';
export { parseFrames } from './errors/stack-frames';
export { isAnnotated } from './json-schema/annotations';
export { KEYWORDS } from './json-schema/keywords';
export { hasKeyword, hasUnknownKeyword, type TrackedKeyword } from './json-schema/occurring-keywords';
export {
  allSubschemas,
  visitSubschemas,
  inlineReferences,
  branchesOf,
  COMPOSITIONS,
  isAnnotation,
  isSchema,
  mapDiscriminator,
  mapSubschemas,
  type SchemaNode,
} from './json-schema/subschemas';
export {
  type ConfigObject,
  type ConfigValue,
  isList,
  isObject,
  isPlainObject,
  listOf,
  type JsonObject,
  objectOf,
  type KeyPath,
  formatKeyPath,
  hasKeyPrefix,
  valueAt,
  parseJson,
} from './values/config-object';
export { areEqual } from './values/are-equal';
export { pathInside } from './values/path-inside';
export { hasPathPrefix } from './text/path-prefix';
export { describeValue } from './text/describe-value';
export { Timestamps } from './text/timestamps';
export { truncate } from './text/truncate';
export { unicodeEscape } from './text/unicode-escape';
export { canonicalPath, hasUtf8Escapes, percentDecoded } from './text/percent-encoding';
export { Services } from './container/services';

// Atomic file operations.
export { FileWatch, fileMark, laterMark } from './files/file-watch';
export { FileError, withFileErrors } from './files/file-error';
export { folderWarning } from './files/folder-warning';
export { withLock } from './files/file-lock';
export {
  createFile,
  createFolders,
  createForOwner,
  isFolder,
  removeEmptyFolders,
} from './files/create-folders';
export { makeFolder } from './files/replace-file';
export { readFileIfExists } from './files/replace-file';
export { removeFile, replaceFile, type FileContent } from './files/replace-file';
export { resolveLink } from './files/replace-file';

// Non-blocking logs.
export {
  type LineSink,
  deferredFileSink,
  openFileSink,
  openStandardSink,
  STANDARD_ERROR,
  STANDARD_OUTPUT,
} from './logging/line-sink';
export { LineWriter, type LineWriterEvents } from './logging/line-writer';
export { escapeControls } from './logging/escape-controls';
export { type LogFormat, lineFormat } from './logging/line-format';
export { logFilePath } from './config/log-file-path';
export { LogFiles, type ReopenableLog } from './logging/log-files';
export { LogLimit } from './logging/log-limit';

// Requests, responses and routes.
export { matchesSchema } from './json-schema/matches-schema';
export { digitsOf, isDouble, withoutEndZeros } from './json/number-digits';
export { parsePointer, parseFragment, memberAt, formatFragment, formatPointer } from './json/json-pointer';
export { jsonSyntaxErrorOf } from './json/json-syntax-error';
export { closingQuote, countWrittenMembers, inspectParsed } from './json/member-count';
export { findUncopyable, immutable } from './values/immutable';
export { isClass } from './values/is-class';
export { isIterable } from './values/is-iterable';
export { lazily } from './values/lazily';
export { isInherited, ownMembers, ownValue } from './values/own-members';
export { oncePer } from './values/once-per';
export { recently } from './values/recently';
export { steadyNow } from './values/steady-now';
export { timerDelay } from './values/timer-delay';
export { discard, isReadLazily } from './http/discard';
export { isNoneMatch, isStrongMatch, parseEntityTags } from './http/entity-tag';
export {
  essence,
  fieldEssence,
  fieldMediaType,
  type MediaType,
  parseMediaType,
  splitOutsideQuotes,
} from './http/media-type';
export {
  type ExplainedOffer,
  type ExplainedRange,
  explainNegotiation,
  type NegotiationExplanation,
  type Specificity,
} from './http/negotiation/explain-negotiation';
export { parseAccept } from './http/negotiation/accept';
export { type ContentCoding, negotiateCoding } from './http/negotiation/content-coding';
export { negotiate, Negotiator, notAcceptable } from './http/negotiation/negotiate';
export { type Fields, fieldsSchema, TOKEN } from './http/fields';
export { addressKey, unmappedAddress } from './http/limits/address-key';
export { BodyBuffer } from './http/limits/body-buffer';
export type { ConnectionLimits } from './http/limits/connection-limits';
export type { OpeningFailures } from './http/connections/opening-failures';
export type { RefusalCause, Refusals } from './http/limits/refusals';
export { BoundedCache } from './http/bounded-cache';
export { abortOf, onStopping, refusalOf, sentStatus } from './http/refused-requests';
export { Cookies } from './http/cookies/cookies';
export { parseCookies } from './http/cookies/parse-cookies';
export { serializeCookie, type CookieOptions } from './http/cookies/serialize-cookie';
export { Request } from './http/request';
export {
  type CertificateName,
  type ClientCertificate,
  clientCertificateOf,
  setClientCertificate,
} from './http/tls/client-certificate';
export { joinTarget, splitTarget } from './http/target';
export { listenError } from './http/server/connection-problems';
export { problemResponse } from './http/server/problem-response';
export { ActiveCertificate } from './http/tls/active-certificate';
export { expiryOf, expiryWarning, isValidAt, keptWarning } from './http/tls/expiry';
export {
  type ClientCertificateOptions,
  loadTls,
  type TlsMaterial,
  type TlsOptions,
} from './http/tls/tls-files';
export { type Body, OWN_RESPONSE, Response, type WebStream } from './http/response';
export { TraceContext, type TraceIds } from './http/trace-context/trace-context';
export type { RequestHandler } from './http/server/current-handler';
export { type CloseOptions, Server } from './http/server/server';
export type { ConnectionCounts } from './http/server/server-connections';
export { assemble, assembler } from './routing/path-assembly';
export {
  expand,
  expandPaths,
  parametersOf,
  parsePattern,
  type PatternPart,
  type RoutePattern,
} from './routing/pattern';
export { type Route, type RouteMatch, Router } from './routing/router';
export { type Segment, segmentsOf } from './routing/segment';
export { isOutcome, Kernel, type RequestEvents } from './mvc/kernel';
export { asCurrentRequest, currentRequest } from './mvc/current-request';
export type { RequestWrapper } from './mvc/request-wrappers';
export { type FailureObserver, failureLogger, type RequestFailure } from './mvc/request-failure';
export {
  applicationEvents,
  authenticationEvents,
  errorEvents,
  ERRORS_ROUTE,
  priorities,
  requestEvents,
} from './mvc/lifecycle';
export type { Log } from './logging/log';
export { readableCopy } from './logging/readable-copy';
export { type Endpoint, MethodTable, MvcEvent, type RequestState, type RouteTarget } from './mvc/mvc-event';
export { findEndpoint, matchRoute, respondToMethod, selectTarget } from './mvc/route-request';
export { trailingSlash } from './mvc/trailing-slash';

// Problems.
export { type ErrorCode, type ErrorEntry, errors, problem } from './problem/errors';
export { Problem, type ProblemOptions } from './problem/problem';
export { tooManyOpenFiles, toProblem } from './problem/to-problem';
export { withoutStack } from './problem/without-stack';
export { titleOf, typeOf } from './problem/statuses';

// Views.
export { hasToJson } from './view/json/json-text';
export { JsonModel, ProblemModel } from './view/json/json-model';
export { JsonRenderer, JsonStrategy } from './view/json/json-strategy';
export { NunjucksRenderer, NunjucksStrategy } from './view/templates/nunjucks-strategy';
export { concatChunks, isMoreDerived, type Renderer } from './view/renderer';
export { type EncodedVariant, EncodedContent } from './http/encoded-content';
export { RenderingCounts } from './view/encoded-content-cache';
export { TemplateMap } from './view/templates/template-map';
export { View } from './view/view';
export { ViewEvent, type ViewEvents } from './view/view-event';
export { type ViewHelper, ViewHelpers } from './view/templates/view-helpers';
export {
  isCacheable,
  isViewModelClass,
  ViewModel,
  type ViewModelClass,
  type ViewModelOptions,
} from './view/view-model';
export { STRATEGY_PRIORITY, ViewStrategy } from './view/view-strategy';
