/**
 * The framework's public face, by layer, in the order in which a request meets them.
 */

// What happens, and who listens.
export * from './events/event';
export type { ListenerDescription } from './events/attached';
export * from './events/attribution';
export * from './events/event-manager';
export * from './events/listener-group';
export * from './events/in-turns';
export * from './events/maybe-promise';
export * from './events/observers';
export * from './events/result-collection';

// The application: modules, configuration, services.
export * from './application/application';
export * from './application/application-host';
export * from './application/build-application';
export * from './application/events';
export {
  fieldLines,
  requestOptions,
  sentRequest,
  type InjectedRequest,
} from './application/injected-request';
export * from './application/lasting';
export * from './application/load-configuration';
export * from './application/load-modules';
export * from './application/module';
export * from './application/register-strategy';
export * from './application/settings';
export { check } from './config/check';
export * from './config/configuration';
export * from './config/edit-text';
export type { Environment } from './config/environment';
export * from './config/error-code';
export type { ExplainedValue } from './config/explain';
export { parseConfiguration } from './config/json-file';
export * from './config/local-configuration';
export { LOCAL_FILE } from './config/local-file';
export * from './config/nearest';
export * from './config/options-fault';
export * from './config/printable';
export * from './config/published-schema';
export type { Revision } from './config/revisions';
export * from './config/start-error';
export * from './config/subschemas';
export * from './config/tree';
export * from './config/what-is';
export * from './container/services';

// Files that are written whole or not at all.
export * from './files/file-error';
export * from './files/file-lock';
export * from './files/read-if-there';
export * from './files/replace-file';
export * from './files/target';

// A request, and the way it takes.
export * from './config/fits';
export * from './config/json-pointer';
export * from './config/member-count';
export * from './lazily';
export * from './http/discard';
export * from './http/entity-tag';
export * from './http/media-type';
export * from './http/explain-negotiation';
export * from './http/negotiation';
export * from './http/request';
export * from './http/response';
export * from './http/server';
export * from './routing/pattern';
export * from './routing/router';
export * from './mvc/endpoint';
export * from './mvc/kernel';
export * from './mvc/lifecycle';
export * from './mvc/log';
export * from './mvc/mvc-event';

// What went wrong.
export * from './problem/errors';
export * from './problem/problem';
export * from './problem/statuses';

// How results are shown.
export * from './view/collected';
export * from './view/json-model';
export * from './view/json-strategy';
export * from './view/nunjucks-strategy';
export * from './view/problem-model';
export * from './view/renderer';
export * from './view/representation';
export * from './view/template-map';
export * from './view/view';
export * from './view/view-event';
export * from './view/view-helpers';
export * from './view/view-model';
export * from './view/view-strategy';
