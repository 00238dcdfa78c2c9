/**
 * The framework's public face, by layer, in the order in which a request meets them.
 */

// What happens, and who listens.
export { Event } from './events/event';
export type { ListenerDescription } from './events/attached';
export { type Attributed, Attribution, FRAMEWORK } from './events/attribution';
export { EventManager, type Listener } from './events/event-manager';
export { type ListenerGroup, Listeners } from './events/listener-group';
export { atOnce, inTurns, onceInTurns, type Steps } from './events/in-turns';
export { andThen, isThenable, type MaybePromise } from './events/maybe-promise';
export { repeatable } from './events/repeatable';
export { type Observer, type ObserverDescription, Observers } from './events/observers';
export { type MaybeResults, ResultCollection, type Until } from './events/result-collection';

// The application: modules, configuration, services.
export { Application, type ApplicationParts, type Notice } from './application/application';
export { ApplicationHost, type HostOptions, type PutOutcome } from './application/application-host';
export { buildApplication, type Ingredients } from './application/build-application';
export {
  ApplicationEvent,
  type ApplicationEvents,
  BootstrapEvent,
  type Observations,
} from './application/events';
export {
  fieldLines,
  requestOptions,
  sentRequest,
  type InjectedRequest,
} from './application/injected-request';
export { Lasting } from './application/lasting';
export { loadConfiguration, schemasOf } from './application/load-configuration';
export { type BuiltInModules, inOrder, loadModules, withNeeded } from './application/load-modules';
export { defineModule, type Module } from './application/module';
export { registerStrategy, registerStrategyAtRender } from './application/register-strategy';
export { frameworkDefaults, frameworkSchemas, serverSettings, viewSettings } from './application/settings';
export { check } from './config/check';
export { Configuration, DEFAULTS, type SectionSchemas } from './config/configuration';
export { type ConfigEdit, editText } from './config/edit-text';
export type { Environment } from './config/environment';
export { errorCode } from './config/error-code';
export type { ExplainedValue } from './config/explain';
export { parseConfiguration, parseJsonText } from './config/json-file';
export {
  ConfigurationChanged,
  type LocalChange,
  type LocalChangeOptions,
  LocalConfiguration,
} from './config/local-configuration';
export { LOCAL_FILE } from './config/local-file';
export { nearest } from './config/nearest';
export { optionsFault } from './config/options-fault';
export { printable, printableLines } from './config/printable';
export { publishedSchema } from './config/published-schema';
export { resolvedSchema, resolveReference, withDefinitions } from './config/reference';
export type { Revision } from './config/revisions';
export { StartError } from './config/start-error';
export {
  allSubschemas,
  isSchema,
  mapDiscriminator,
  mapSubschemas,
  type SchemaNode,
} from './config/subschemas';
export {
  type ConfigTree,
  type ConfigValue,
  deepFreeze,
  isTree,
  type KeyPath,
  showPath,
  valueAt,
} from './config/tree';
export { whatIs } from './config/what-is';
export { Services } from './container/services';

// Files that are written whole or not at all.
export { FileError, writing } from './files/file-error';
export { withLock } from './files/file-lock';
export { readIfThere } from './files/read-if-there';
export { removeFile, removeLitter, replaceFile, type ReplaceOptions } from './files/replace-file';
export { targetOf } from './files/target';

// A request, and the way it takes.
export { fits } from './config/fits';
export { referencesInPlace } from './config/in-place';
export { keysAt, memberAt, pointerOf } from './config/json-pointer';
export { parsedMembers, writtenMembers } from './config/member-count';
export { immutable } from './immutable';
export { lazily } from './lazily';
export { discard } from './http/discard';
export { isNoneMatch, type OpaqueTag, parseEntityTags } from './http/entity-tag';
export {
  essence,
  fieldMediaType,
  type MediaType,
  parseMediaType,
  splitOutsideQuotes,
} from './http/media-type';
export {
  type ExplainedOffer,
  type ExplainedRange,
  explainNegotiation,
  type Fit,
  type NegotiationExplanation,
  type Specificity,
} from './http/explain-negotiation';
export { negotiate, Negotiator } from './http/negotiation';
export { Request } from './http/request';
export { type Body, Response, type WebStream } from './http/response';
export { type RequestHandler, Server } from './http/server';
export {
  assemble,
  assembler,
  expand,
  parametersOf,
  parsePattern,
  type PatternPart,
  type RoutePattern,
} from './routing/pattern';
export { type Route, type RouteMatch, Router } from './routing/router';
export { type Endpoint, MethodTable } from './mvc/endpoint';
export { Kernel, type RequestEvents } from './mvc/kernel';
export { applicationEvents, errorEvents, priorities, requestEvents } from './mvc/lifecycle';
export type { Log } from './mvc/log';
export { MvcEvent, type RouteTarget } from './mvc/mvc-event';

// What went wrong.
export { type ErrorCode, errors, problem } from './problem/errors';
export { Problem, type ProblemOptions, toProblem } from './problem/problem';
export { titleOf, typeOf } from './problem/statuses';

// How results are shown.
export { collected } from './view/collected';
export { JsonModel } from './view/json-model';
export { JsonRenderer, JsonStrategy } from './view/json-strategy';
export { NunjucksRenderer, NunjucksStrategy } from './view/nunjucks-strategy';
export { ProblemModel } from './view/problem-model';
export { isRenderer, type Renderer } from './view/renderer';
export { type CodedRepresentation, Representation } from './view/representation';
export { TemplateMap } from './view/template-map';
export { View } from './view/view';
export { ViewEvent, type ViewEvents } from './view/view-event';
export { type ViewHelper, ViewHelpers } from './view/view-helpers';
export {
  isCacheable,
  isViewModelClass,
  ViewModel,
  type ViewModelClass,
  type ViewModelOptions,
} from './view/view-model';
export { isViewStrategy, STRATEGY_PRIORITY, ViewStrategy } from './view/view-strategy';
