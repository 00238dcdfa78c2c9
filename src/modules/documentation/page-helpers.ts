import type { Router, RouteTarget, ViewHelpers } from '../../framework';
import type { Selector } from '../content-negotiation';
import type { Assets } from './assets';
import type { Documentation } from './documentation';
import { formatOf } from '../content-negotiation';
import { docCurl } from './view-helpers/curl';
import { docAcceptHeaders, docContentTypeHeaders } from './view-helpers/media-types';
import { docServicePath } from './view-helpers/service-path';
import { docStatusCodes } from './view-helpers/status-codes';
import { markdown } from './view-helpers/markdown';

/** What the templates of pages may call: the helpers of the specification (A.4), and what they need beside them. */
export function addPageHelpers(
  helpers: ViewHelpers,
  parts: {
    readonly router: Router<RouteTarget>;
    readonly assets: Assets;
    readonly documentation: Documentation;
    readonly selector: Selector;
    /** Scheme and host of the command lines that are shown. */
    readonly origin: string;
  },
): void {
  const { router, assets, documentation, selector, origin } = parts;
  helpers.add('docAcceptHeaders', docAcceptHeaders, 'html');
  helpers.add('docContentTypeHeaders', docContentTypeHeaders, 'html');
  helpers.add('docServicePath', docServicePath, 'html');
  helpers.add('docStatusCodes', docStatusCodes, 'html');
  helpers.add('docCurl', (service, operation) => docCurl(service, operation, origin));
  helpers.add('markdown', markdown, 'html');
  helpers.add('json', (value: unknown) => JSON.stringify(value, null, 2));
  helpers.add('baseUrl', () => router.base);
  helpers.add('asset', (name: string) => assets.urlOf(name));
  helpers.add('versionsOf', (name: string) => documentation.versionsOf(name));
  const formats = [...new Map(selector.representations.map((one) => [one.name, one])).values()];
  helpers.add('formats', () => formats.map((one) => ({ name: formatOf(one), type: one.mediaType })));
}
