import {
  ApiContent,
  ApiListContent,
  ComparisonContent,
  ServiceContent,
  valueExcerpt,
  type Api,
  type Service,
} from '../../documentation';
import { comparisonDocument } from './comparison';
import { fieldTable, parameterTable } from './fields';
import { operationSection } from './operation';
import { code, paragraphs, plain, prose, table } from './text';

/**
 * The documentation as a Markdown document (CommonMark with tables), for people, repositories and language models; in
 * pieces, an operation at most in each.
 * @throws TypeError for content that is no documentation
 */
export function* markdownPieces(content: unknown): Generator<string, void> {
  let between = '';
  for (const paragraph of paragraphsOf(content)) {
    if (paragraph === '') continue;
    yield between + paragraph;
    between = '\n\n';
  }
  yield '\n';
}

function paragraphsOf(content: unknown): Iterable<string> {
  if (content instanceof ApiListContent) return list(content.getApis());
  if (content instanceof ApiContent) return apiDocument(content.documentation);
  if (content instanceof ServiceContent) return serviceDocument(content.documentation);
  if (content instanceof ComparisonContent) return comparisonDocument(content);
  throw new TypeError('Markdown shows documentation, and nothing else.');
}

/** Every API in its default version, by its services: enough to find what one looks for. */
function* list(apis: readonly Api[]): Generator<string, void> {
  const shown = apis.filter((api) => api.getVersion() === api.getDefaultVersion());
  yield '# APIs';
  if (shown.length === 0) yield 'No API is hosted yet.';
  for (const api of shown) {
    yield `## ${plain(api.getName())}`;
    yield prose(api.getDescription(), 2);
    yield `Versions: ${api.getVersions().join(', ')}. Default: ${api.getDefaultVersion()}.`;
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

/** Services of an API whose answers are told field by field in one document. */
const MOST_SERVICES = 100;

function* apiDocument(api: Api): Generator<string, void> {
  const license = api.getLicense();
  const url = license?.url === undefined ? '' : ` (<${license.url}>)`;
  yield `# ${plain(api.getName())} v${api.getVersion()}`;
  yield prose(api.getDescription(), 1);
  yield `Every path stands behind ${code(api.getBaseUrl() + api.getVersionPath())}.`;
  if (license !== null) yield `Licence: ${plain(license.name)}${url}.`;
  yield table(
    ['Adapter', 'Schemes', 'Realm'],
    api.getAdapters().map(({ name, schemes, realm }) => [code(name), schemes.join(', '), plain(realm)]),
  );
  const isWhole = api.getServices().length <= MOST_SERVICES;
  if (!isWhole) yield 'What procedures answer, field by field, is in the document of each service.';
  for (const service of api.getServices()) yield* serviceSection(service, 2, isWhole);
}

function* serviceDocument(service: Service): Generator<string, void> {
  const api = service.getApi();
  if (api !== null) {
    yield `*${plain(api.getName())} v${api.getVersion()}: every path stands behind ${code(api.getBaseUrl() + api.getVersionPath())}.*`;
  }
  yield* serviceSection(service, 1, true);
}

function* serviceSection(service: Service, level: number, isWhole: boolean): Generator<string, void> {
  const below = '#'.repeat(level + 1);
  const parameters = service.getRouteParameters();
  const fields = service.getFields();
  yield `${'#'.repeat(level)} ${plain(service.getName())}`;
  yield prose(service.getDescription(), level);
  yield `Route: ${code(service.getRoute())}`;
  if (parameters.length > 0) yield paragraphs([`${below} In the path`, parameterTable(parameters)]);
  if (fields.length > 0) yield paragraphs([`${below} Fields`, fieldTable(fields)]);
  for (const operation of [...service.getOperations(), ...service.getEntityOperations()]) {
    yield operationSection(service, operation, level + 1, isWhole);
  }
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
