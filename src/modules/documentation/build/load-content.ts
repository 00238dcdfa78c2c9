import type { Steps } from '../../../framework';
import { ApiContent, ApiListContent, ServiceContent } from '../content';
import type { Api } from '../model/api';
import { serviceGroups } from '../view-helpers/service-groups';
import type { Found } from './scope-index';

/**
 * Builds the documentation that a rendering needs at once, in steps of one service, so that large APIs do not block other
 * requests. What it leaves out is built when it is read.
 *
 * @param format of the response, such as `html`
 */
export function* loadContent(content: Found | undefined, format: string): Steps<void> {
  for (const api of apisOf(content, format)) yield* loadApi(api);
}

/** APIs whose services are built. */
const loaded = new WeakSet<Api>();

/** Builds the documentation of all services of an API, and groups them. */
export function* loadApi(api: Api): Steps<void> {
  if (loaded.has(api)) return;
  for (const service of api.getServices()) {
    service.load();
    yield;
  }
  serviceGroups(api);
  loaded.add(api);
}

function apisOf(content: Found | undefined, format: string): readonly Api[] {
  // Written service by service.
  if (format === 'json') return [];
  if (content instanceof ApiListContent) return content.getApis();
  if (content instanceof ApiContent) return [content.documentation];
  // The page of a service lists all services of its API.
  const api = content instanceof ServiceContent && format === 'html' ? content.documentation.getApi() : null;
  // Comparisons and changelogs are computed in steps of their own.
  return api === null ? [] : [api];
}
