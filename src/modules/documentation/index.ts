import { readdirSync } from 'node:fs';
import path from 'node:path';
import {
  listenOrigin,
  publicUrlOf,
  runCooperatively,
  serverSettings,
  type BootstrapEvent,
  type ConfigObject,
  type Module,
} from '../../framework';
import { Selectors, type Selector } from '../content-negotiation';
import { Catalogue, ResponseChecks } from '../hosting';
import { AccessRules, guest, Guards, requiresUser, type AccessRule } from '../mvc-auth';
import { OpenidSignIn } from '../openid';
import { AssetFiles } from './routes/asset-files';
import { Assets } from './routes/assets';
import { DocumentedResponseChecks } from './routes/documented-response-checks';
import { addRoutes } from './routes/add-routes';
import { DescriptionLinks } from './pages/description-links';
import { Documentation } from './documentation';
import { DocumentationFields } from './routes/documentation-fields';
import { DocumentationLinks } from './routes/documentation-links';
import { ErrorSuggestions } from './pages/error-suggestions';
import { readGuides } from './guides/read-guides';
import type { Api } from './model/api';
import { messagesScript, pageLanguage } from './language/languages';
import { PageFields } from './pages/page-fields';
import { addPageHelpers } from './pages/page-helpers';
import { DOCUMENTATION_KEY, documentationDefaults, documentationSettings } from './settings';
import { accentWarnings, createSite } from './pages/site';
import { ResponseCache } from './routes/response-cache';
import { SignedInReaders } from './routes/signed-in-readers';
import { visibilityWarnings } from './build/visibility-warnings';

export { Assets } from './routes/assets';
export { ApiContent, ApiListContent, ServiceContent, type DocumentationContent } from './content';
export { serviceDocumentation } from './build/from-catalogue';
export type { Changelog } from './changelog/changelog';
export { ChangelogContent, type ChangelogEntry } from './changelog/changelog-content';
export type { Comparison } from './compare/comparison';
export { ComparisonContent, type ServiceChanges } from './compare/comparison-content';
export type { ApiChange, ChangeSubject } from './compare/change';
// Its declaration merging, for those who import the package.
export type {} from './routes/documentation-route';
export type { Resolution as DocumentationResolution } from './documentation';
export { Api, type ApiJson, type ApiListEntry } from './model/api';
export type * from './model/data';
export { fieldsFromSchema } from './model/fields-from-schema';
export { fileTypesOf } from './model/file-types';
export { Operation } from './model/operation';
export type { OperationJson, ScopesJson } from './model/operation-json';
export { OPTIONS_SENTENCE, type OptionsJson } from './model/options';
export { parametersOfPath, pathsOfRoute, replaceParameters } from './model/route';
export { Service } from './model/service';
export type { ServiceJson } from './model/service-json';
export { Field, type FieldJson } from './model/field';
export { accessSummary } from './view-helpers/access';
export { apiSize } from './view-helpers/api-overview';
export { constraintLabel, constraintValue, type Constraint } from './model/schema/constraints';
export { ANY_NAME, describeSchema } from './model/schema/describe-schema';
export { hasStructure, hasValues, type SchemaDescription } from './model/schema/description';
export { typeText } from './model/schema/type-text';
export { escapeHtml } from './text/escape';
export { jsonExcerpt, listExcerpt, valueExcerpt } from './text/excerpt';
export { namedOperation, operationName } from './view-helpers/operation-name';
export { docCredentials, type AdapterCredentials } from './view-helpers/security';
export { docResponses } from './view-helpers/responses';
export { docSchemas } from './view-helpers/service-schemas';

/** The package folder: templates and style sheets have the same relative location in source and build. */
const PACKAGE = path.join(__dirname, '..', '..', '..');
const templates = (folder: string, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    names.map((name) => [`${folder}/${name}`, path.join(PACKAGE, 'templates', folder, `${name}.njk`)]),
  );

/** The files of pages, by the name they are served under: style sheets, the icon and every script. */
function assetFiles(): Readonly<Record<string, string>> {
  const folder = path.join(PACKAGE, 'templates', 'assets');
  const scripts = readdirSync(path.join(folder, 'documentation')).filter((file) => file.endsWith('.js'));
  const files = ['pico.css', 'platform.css', 'icon.svg', ...scripts.map((file) => `documentation/${file}`)];
  return Object.fromEntries(files.map((file) => [file, path.join(folder, file)]));
}

/** Documents every API at one URL, in the requested format. */
export default class DocumentationModule implements Module {
  readonly name = 'documentation';
  readonly requires = ['content-negotiation', 'mvc-auth', 'hosting'];
  /** A front end at `/` has the home page; readers may sign in with OpenID Connect. */
  readonly optionalRequires = ['static-files', 'openid'];
  readonly schemas = { [DOCUMENTATION_KEY]: documentationSettings };
  readonly defaults: ConfigObject = {
    ...documentationDefaults,
    'platform-content-negotiation': {
      selectors: {
        Documentation: { JsonModel: ['application/json'], ViewModel: ['text/html'] },
      },
    },
    view_manager: {
      template_map: {
        ...templates('platform', ['layout', 'error', 'metadata', 'theme-switch']),
        // Of pages in the layout of the documentation.
        ...templates('platform-openid', ['account', 'continue', 'message']),
        ...templates('platform-documentation', [
          'access',
          'api',
          'api-group',
          'api-list',
          'api-operations',
          'api-service',
          'changelog',
          'changelog-version',
          'comparison',
          'comparison-service',
          'description',
          'differences',
          'errors',
          'field',
          'fields',
          'formats',
          'guide',
          'operation',
          'path',
          'prose',
          'response',
          'samples',
          'schema',
          'search',
          'service',
          'shared-schema',
          'show',
          'sidebar',
          'versions',
        ]),
      },
    },
  };

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, sharedState, router, view, events, configuration, warnings } = application;
    const selector = (await services.get(Selectors)).get('Documentation', 'The documentation');
    const catalogue = await services.get(Catalogue);
    const guards = await services.get(Guards);
    const { host, port, tls } = configuration.section('server', serverSettings);
    const { origin: publicUrl } = publicUrlOf(configuration);
    const documentation = await runCooperatively(
      Documentation.build(catalogue, guards, { baseUrl: router.base, publicUrl }),
    );
    const loaded = sharedState.getOrCreate(AssetFiles, () => new AssetFiles());
    loaded.beginApplication();
    const assets = new Assets(assetFiles(), router, loaded);
    services.set(Assets, assets);
    services.set(Documentation, documentation);
    const links = new DocumentationLinks(router, selector);
    const origin = publicUrl || listenOrigin(host, port, tls !== undefined);
    const settings = configuration.section(DOCUMENTATION_KEY, documentationSettings);
    warnings.push(...accentWarnings(settings));
    assets.addText('documentation/messages.js', messagesScript(settings.language));
    const site = createSite(settings, configuration.root, assets);
    const { guides, images, warnings: imageWarnings } = readGuides(settings.guides, configuration.root);
    warnings.push(...imageWarnings);
    const access = (await services.get(AccessRules)).ofDocumentation();
    const openid = services.has(OpenidSignIn) ? await services.get(OpenidSignIn) : undefined;
    const signIn = openid?.hasReaders === true ? openid : undefined;
    addPageHelpers(view.helpers, {
      router,
      assets,
      documentation,
      links,
      site,
      language: pageLanguage(settings.language),
      guides,
      origin,
      publicUrl,
      isPublic: !requiresUser(access),
      samples: settings.samples,
      signIn,
    });
    warnings.push(...accessWarnings(access, documentation, signIn), ...formatWarnings(selector));
    if (signIn === undefined) warnings.push(...visibilityWarnings(catalogue, guards));
    const parts = { documentation, selector, access, catalogue, links, guides, images, publicUrl };
    addRoutes(application, { ...parts, hasReaders: signIn !== undefined });
    if (signIn !== undefined) events.attachGroup(new SignedInReaders(signIn));
    const checks = await services.get(ResponseChecks);
    if (!checks.isOff) events.attachGroup(new DocumentedResponseChecks(catalogue, checks));
    events.attachGroup(new ResponseCache(application));
    events.attachGroup(new PageFields());
    const visibleApis = (): readonly Api[] =>
      requiresUser(access) ? [] : documentation.listFor(guest).getApis();
    events.attachGroup(new ErrorSuggestions(visibleApis, router.assemble('documentation')));
    events.attachGroup(
      new DocumentationFields(links, new DescriptionLinks(catalogue, guards, access, links)),
    );
  }
}

function accessWarnings(
  access: AccessRule,
  { guard }: Documentation,
  signIn: OpenidSignIn | undefined,
): readonly string[] {
  if (!requiresUser(access) || guard !== undefined || signIn !== undefined) return [];
  return [
    'The documentation requires authentication, but no adapter is mapped to "@documentation": its list responds 403 to everyone. Map an adapter to it in platform-mvc-auth.authentication.map.',
  ];
}

function formatWarnings({ mediaTypes }: Selector): readonly string[] {
  if (mediaTypes.includes('text/html')) return [];
  return [
    'The selector "Documentation" has no text/html: browsers get another format instead of the pages of the documentation. Add text/html to one of its view models.',
  ];
}
