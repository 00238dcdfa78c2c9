import type { Router, RouteTarget, ViewHelpers } from '../../../framework';
import type { Assets } from '../routes/assets';
import type { ApiListContent } from '../content';
import { hasChangelog } from '../changelog/changelog';
import type { OpenidSignIn } from '../../openid';
import type { Documentation } from '../documentation';
import type { DocumentationLinks } from '../routes/documentation-links';
import type { MessageKey } from '../language/en';
import { ENGLISH, type PageLanguage } from '../language/languages';
import type { MessageArguments } from '../language/message';
import type { Guide } from '../guides/guide';
import type { Api } from '../model/api';
import type { ParameterData } from '../model/data';
import type { Operation } from '../model/operation';
import type { Service } from '../model/service';
import type { Site } from './site';
import { pageMetadata, type PageVariables } from './page-metadata';
import { highlight } from '../samples/highlight/highlight';
import type { SampleLanguage } from '../samples/languages';
import { docSamples, docCurl } from '../samples/samples';
import { accessSummary } from '../view-helpers/access';
import { apiOverviews } from '../view-helpers/api-overview';
import { docAnchor, docServicePath, fragmentOf } from '../view-helpers/addresses';
import { docConsole } from '../view-helpers/console';
import { docCredentials } from '../view-helpers/security';
import { constraintExcerpt, jsonExcerpt, listExcerpt, proseExcerpt, valueExcerpt } from '../text/excerpt';
import { docAcceptHeaders, docContentTypeHeaders, docStatusCodes } from '../view-helpers/list-groups';
import { hasServiceFields } from '../view-helpers/same-fields';
import { docResponses } from '../view-helpers/responses';
import { pageCount, serviceGroups } from '../view-helpers/service-groups';
import { docSchemas } from '../view-helpers/service-schemas';
import type { Constraint } from '../model/schema/constraints';
import { describeSchema } from '../model/schema/describe-schema';
import {
  hasDetails,
  hasStructure,
  hasValues,
  sizeOf,
  type SchemaDescription,
} from '../model/schema/description';
import { typePieces } from '../model/schema/type-text';
import { markdown } from '../text/markdown';
import { markedText } from '../text/marked-text';

/** Complete formats, the most readable first. */
const COMPLETE_FORMATS = ['openapi', 'apidesc', 'yaml', 'json'];

/** What the view helpers of pages show. */
interface PageParts {
  readonly router: Router<RouteTarget>;
  readonly assets: Assets;
  readonly documentation: Documentation;
  readonly links: DocumentationLinks;
  readonly site: Site;
  readonly language: PageLanguage;
  readonly guides: readonly Guide[];
  /** Scheme and host in sample commands. */
  readonly origin: string;
  /** The origin that all clients use; empty if it is not configured. */
  readonly publicUrl: string;
  /** Whether guests may read the documentation. */
  readonly isPublic: boolean;
  /** The languages of code samples. */
  readonly samples: readonly SampleLanguage[];
  /** With which readers sign in; undefined if they cannot. */
  readonly signIn: Pick<OpenidSignIn, 'path'> | undefined;
}

/** Adds the view helpers of pages: those of the specification (A.4), and further ones. */
export function addPageHelpers(helpers: ViewHelpers, parts: PageParts): void {
  addLanguageHelpers(helpers, parts.language);
  addSchemaHelpers(helpers, parts.language);
  addApiHelpers(helpers, parts);
  addTextHelpers(helpers);
  addSiteHelpers(helpers, parts);
}

/** Adds what pages show of APIs, services and operations. */
function addApiHelpers(helpers: ViewHelpers, { documentation, language, origin, samples }: PageParts): void {
  helpers.add('docAcceptHeaders', docAcceptHeaders, 'html');
  helpers.add('docContentTypeHeaders', docContentTypeHeaders, 'html');
  helpers.add('docServicePath', docServicePath, 'html');
  helpers.add('docStatusCodes', docStatusCodes, 'html');
  helpers.add('docCurl', (service, operation) => docCurl(service, operation, origin));
  helpers.add('docSamples', (service, operation) => docSamples(service, operation, origin, samples));
  helpers.add('docConsole', docConsole);
  helpers.add('docCredentials', docCredentials);
  helpers.add('docAccess', (api: Api) => accessSummary(api, language));
  helpers.add('docOverviews', (apis: ApiListContent['apis']) =>
    apiOverviews(documentation.apisOf(apis), language),
  );
  helpers.add('docGroups', serviceGroups);
  helpers.add('docPages', pageCount);
  helpers.add('docAnchor', docAnchor);
  helpers.add('docSameFields', hasServiceFields);
  helpers.add('docRequired', (operation: Operation) =>
    listExcerpt(operation.getFields().flatMap((field) => (field.isRequired() ? [field.getName()] : []))),
  );
  helpers.add('docHasChangelog', hasChangelog);
  helpers.add('versionsOf', (name: string) => documentation.versionsOf(name));
  helpers.add('hasService', (name: string, version: number, service: string, page?: Api | Service) =>
    documentation.hasService(name, version, service, page),
  );
}

/** Adds how texts and values are shown. */
function addTextHelpers(helpers: ViewHelpers): void {
  helpers.add('docHighlight', highlight, 'html');
  helpers.add('docMarked', markedText, 'html');
  helpers.add('docProse', proseExcerpt);
  helpers.add('docExcerpt', valueExcerpt);
  helpers.add('docJson', jsonExcerpt);
  helpers.add('markdown', markdown, 'html');
  helpers.add('json', (value: unknown) => JSON.stringify(value, null, 2));
}

/** Adds what surrounds the content of each page. */
function addSiteHelpers(helpers: ViewHelpers, parts: PageParts): void {
  const { router, assets, documentation, links, language, site, guides } = parts;
  const { origin, publicUrl, isPublic, signIn } = parts;
  // Undefined for the configured public URL, which a page does not replace by its own.
  helpers.add('origin', () => (publicUrl === '' ? origin : undefined));
  helpers.add('baseUrl', () => router.base);
  helpers.add('asset', (name: string) => assets.urlOf(name));
  helpers.add('site', () => site);
  helpers.add('guides', () => guides);
  // The same for all readers: a script adds the name, so that pages can be cached.
  helpers.add('signInPath', () => signIn?.path);
  const metadata = {
    links,
    publicUrl,
    language,
    name: site.name,
    isPublic: (page?: Api | Service) => isPublic && (page === undefined || documentation.isForGuests(page)),
  };
  helpers.add('docMetadata', (variables: PageVariables) => pageMetadata(variables, metadata));
  const { formats } = links;
  const whole = COMPLETE_FORMATS.map((name) => formats.find((one) => one.name === name)).find(Boolean);
  helpers.add('wholeFormat', () => whole);
  helpers.add('formats', () => formats);
}

/** Adds the texts of the pages. */
function addLanguageHelpers(helpers: ViewHelpers, language: PageLanguage): void {
  helpers.add(
    't',
    (key: MessageKey, values?: MessageArguments, tag?: 'en') =>
      (tag === undefined ? language : ENGLISH).html(key, values),
    'html',
  );
  helpers.add('anyOf', (items: readonly unknown[]) => language.anyOf(items), 'html');
  helpers.add('pageLanguage', () => language.tag);
}

/** Adds the helpers that describe schemas. */
function addSchemaHelpers(helpers: ViewHelpers, language: PageLanguage): void {
  helpers.add('docSchemas', docSchemas);
  helpers.add('docResponses', docResponses);
  helpers.add('docParameter', ({ schema, example }: ParameterData) => ({
    ...describeSchema(schema),
    ...(example === undefined ? {} : { example }),
  }));
  helpers.add('docType', (schema: SchemaDescription) => typePieces(schema, language));
  helpers.add('docConstraint', (constraint: Constraint) => constraintExcerpt(constraint, language));
  helpers.add('docHasDetails', hasDetails);
  helpers.add('docHasStructure', hasStructure);
  helpers.add('docHasValues', hasValues);
  helpers.add('docSchemaSize', sizeOf);
  helpers.add('docFragment', fragmentOf);
}
