import {
  ApiContent,
  ApiListContent,
  ComparisonContent,
  ServiceContent,
  type Api,
  type Service,
} from '../../documentation';
import { comparisonDocument } from './comparison';
import { fieldTable, parameterTable } from './fields';
import { operationSection } from './operation';
import { code, paragraphs, plain, prose, table } from './text';

/**
 * The documentation as a Markdown document (CommonMark with tables), for people, repositories and language models.
 * @throws TypeError for content that is no documentation
 */
export function markdownOf(content: unknown): string {
  if (content instanceof ApiListContent) return `${list(content.getApis())}\n`;
  if (content instanceof ApiContent) return `${apiDocument(content.documentation)}\n`;
  if (content instanceof ServiceContent) return `${serviceDocument(content.documentation)}\n`;
  if (content instanceof ComparisonContent) return `${comparisonDocument(content)}\n`;
  throw new TypeError('Markdown shows documentation, and nothing else.');
}

/** Every API in its default version, by its services: enough to find what one looks for. */
function list(apis: readonly Api[]): string {
  const shown = apis.filter((api) => api.getVersion() === api.getDefaultVersion());
  return paragraphs([
    '# APIs',
    shown.length === 0 ? 'No API is hosted yet.' : '',
    ...shown.flatMap((api) => [
      `## ${plain(api.getName())}`,
      prose(api.getDescription(), 2),
      `Versions: ${api.getVersions().join(', ')}. Default: ${api.getDefaultVersion()}.`,
      table(
        ['Service', 'Route', 'Description'],
        api
          .getServices()
          .map((service) => [
            plain(service.getName()),
            code(api.getBaseUrl() + api.getVersionPath() + service.getRoute()),
            firstLine(service.getDescription()),
          ]),
      ),
    ]),
  ]);
}

function apiDocument(api: Api): string {
  const license = api.getLicense();
  const adapters = api.getAdapters();
  return paragraphs([
    `# ${plain(api.getName())} v${api.getVersion()}`,
    prose(api.getDescription(), 1),
    `Every path stands behind ${code(api.getBaseUrl() + api.getVersionPath())}.`,
    license === null
      ? ''
      : `Licence: ${plain(license.name)}${license.url === undefined ? '' : ` (<${license.url}>)`}.`,
    table(
      ['Adapter', 'Schemes', 'Realm'],
      adapters.map(({ name, schemes, realm }) => [code(name), schemes.join(', '), plain(realm)]),
    ),
    ...api.getServices().map((service) => serviceSection(service, 2)),
  ]);
}

function serviceDocument(service: Service): string {
  const api = service.getApi();
  return paragraphs([
    api === null
      ? ''
      : `*${plain(api.getName())} v${api.getVersion()}: every path stands behind ${code(api.getBaseUrl() + api.getVersionPath())}.*`,
    serviceSection(service, 1),
  ]);
}

function serviceSection(service: Service, level: number): string {
  const below = '#'.repeat(level + 1);
  const parameters = service.getRouteParameters();
  const fields = service.getFields();
  return paragraphs([
    `${'#'.repeat(level)} ${plain(service.getName())}`,
    prose(service.getDescription(), level),
    `Route: ${code(service.getRoute())}`,
    ...(parameters.length === 0 ? [] : [`${below} In the path`, parameterTable(parameters)]),
    ...(fields.length === 0 ? [] : [`${below} Fields`, fieldTable(fields)]),
    ...[...service.getOperations(), ...service.getEntityOperations()].map((operation) =>
      operationSection(service, operation, level + 1),
    ),
  ]);
}

function firstLine(text: string): string {
  return text.trim().split('\n', 1)[0] ?? '';
}
