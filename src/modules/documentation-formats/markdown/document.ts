import {
  accessSummary,
  apiSize,
  ApiContent,
  ApiListContent,
  ChangelogContent,
  ComparisonContent,
  docSchemas,
  OPTIONS_SENTENCE,
  ServiceContent,
  valueExcerpt,
  type Api,
  type Service,
} from '../../documentation';
import type { AdapterData } from '../../documentation';
import { securitySchemesOf } from '../../mvc-auth';
import { changelogDocument } from './changelog';
import { comparisonDocument } from './comparison';
import { parameterTable, schemaText, type KnownParameters } from './schema';
import { operationSection } from './operation';
import { code, paragraphs, plain, prose, table } from './text';

/**
 * Renders the documentation as Markdown (CommonMark with tables), in
 * chunks of at most one operation.
 * @throws TypeError for content that is not documentation
 */
export function* markdownChunks(content: unknown): Generator<string, void> {
  let between = '';
  for (const paragraph of paragraphsOf(content)) {
    if (paragraph === '') continue;
    yield between + paragraph;
    between = '\n\n';
  }
  yield '\n';
}

function paragraphsOf(content: unknown): Iterable<string> {
  if (content instanceof ApiListContent) return listDocument(content.getApis());
  if (content instanceof ApiContent) return apiDocument(content.documentation);
  if (content instanceof ServiceContent) return serviceDocument(content.documentation);
  if (content instanceof ChangelogContent) return changelogDocument(content);
  if (content instanceof ComparisonContent) return comparisonDocument(content);
  throw new TypeError('Only documentation can be rendered as Markdown.');
}

/** Renders each API in its default version, with a table of its services. */
function* listDocument(apis: readonly Api[]): Generator<string, void> {
  const included = apis.filter((api) => api.getVersion() === api.getDefaultVersion());
  yield '# APIs';
  if (included.length === 0) yield 'No APIs yet.';
  for (const api of included) {
    yield `## ${plain(api.getName())}`;
    yield prose(api.getDescription(), 2);
    yield `Versions: ${api.getVersions().join(', ')}. Default: ${api.getDefaultVersion()}. ${apiSize(api)}.`;
    yield `Authentication: ${accessSummary(api)}`;
    yield table(
      ['Service', 'Route', 'Description'],
      api
        .getServices()
        .map((service) => [
          plain(service.getName()),
          code(api.getBaseUrl() + api.getVersionPath() + service.getRoute()),
          valueExcerpt(firstLine(service.getDescription())),
        ]),
    );
  }
}

/** The document of an API with more services omits the fields of responses. */
const MAX_SERVICES = 100;

/** The media types of errors. */
const ERRORS =
  'Errors: `application/problem+json` (RFC 9457); `text/html` for clients that prefer it, except with 401.';

function* apiDocument(api: Api): Generator<string, void> {
  const license = api.getLicense();
  const url = license?.url === undefined ? '' : ` (<${license.url}>)`;
  yield `# ${plain(api.getName())} v${api.getVersion()}`;
  yield prose(api.getDescription(), 1);
  yield `Base path: ${code(api.getBaseUrl() + api.getVersionPath())}`;
  yield ERRORS;
  yield OPTIONS_SENTENCE;
  yield `Authentication: ${accessSummary(api)}`;
  if (license !== null) yield `License: ${plain(license.name)}${url}.`;
  yield table(
    ['Adapter', 'Schemes', 'Realm'],
    api
      .getAdapters()
      .map((adapter) => [code(adapter.name), schemesOf(adapter).join(', '), plain(adapter.realm)]),
  );
  const isComplete = api.getServices().length <= MAX_SERVICES;
  if (!isComplete) yield 'The fields of responses are listed in the document of each service.';
  const known = newKnown();
  for (const service of api.getServices()) yield* serviceSection(service, 2, { isComplete, known });
}

function* serviceDocument(service: Service): Generator<string, void> {
  const api = service.getApi();
  if (api !== null) {
    yield `*${plain(api.getName())} v${api.getVersion()}, base path ${code(api.getBaseUrl() + api.getVersionPath())}*`;
    yield ERRORS;
    yield OPTIONS_SENTENCE;
  }
  yield* serviceSection(service, 1, { isComplete: true, known: newKnown() });
}

/** What services of one document have in common. */
interface Known {
  /** The services whose sections describe a schema, by its name. */
  readonly schemas: Map<string, Service>;
  readonly parameters: KnownParameters;
}

function newKnown(): Known {
  return { schemas: new Map(), parameters: new Map() };
}

interface SectionOptions {
  /** Whether it has the schemas of responses. */
  readonly isComplete: boolean;
  readonly known: Known;
}

function* serviceSection(
  service: Service,
  level: number,
  { isComplete, known }: SectionOptions,
): Generator<string, void> {
  const below = '#'.repeat(level + 1);
  const parameters = service.getRouteParameters();
  const schemas = docSchemas(service);
  const fields = schemas.fields();
  yield `${'#'.repeat(level)} ${plain(service.getName())}`;
  yield prose(service.getDescription(), level);
  yield `Route: ${code(service.getRoute())}`;
  if (service.getTags().length > 0) yield `Tags: ${service.getTags().map(plain).join(', ')}`;
  if (parameters.length > 0)
    yield paragraphs([`${below} Path parameters`, parameterTable(parameters, known.parameters)]);
  if (fields !== undefined && service.getFields().length > 0)
    yield paragraphs([`${below} Fields`, schemaText(fields)]);
  for (const operation of [...service.getOperations(), ...service.getEntityOperations()]) {
    yield operationSection(service, operation, level + 1, { isComplete, parameters: known.parameters });
  }
  if (schemas.names.length === 0) return;
  yield `${below} Schemas`;
  for (const name of schemas.names) {
    const first = known.schemas.get(name);
    const isKnown = first !== undefined && schemas.sharesWith(docSchemas(first), name);
    if (first === undefined) known.schemas.set(name, service);
    yield paragraphs([
      `${below}# ${plain(name)}`,
      isKnown ? `The same as under ${plain(first.getName())}.` : schemaText(schemas.shared(name).schema),
    ]);
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}

function schemesOf(adapter: AdapterData): readonly string[] {
  return securitySchemesOf(adapter).map((one) => {
    if (one.type === 'http') return one.scheme;
    return one.type === 'apiKey' ? `API key (${code(one.name)})` : one.type;
  });
}
