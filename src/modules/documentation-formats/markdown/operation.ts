import {
  docAnswerFields,
  jsonExcerpt,
  mayBeNull,
  type Api,
  type Operation,
  type Service,
} from '../../documentation';
import { fieldTable, parameterTable } from './fields';
import { block, code, paragraphs, plain, prose, table } from './text';

/**
 * A section about one operation, under a heading of the given level.
 * @param isWhole whether the fields of its answer are told
 */
export function operationSection(
  service: Service,
  operation: Operation,
  level: number,
  isWhole: boolean,
): string {
  const marks = '#'.repeat(level);
  const below = '#'.repeat(level + 1);
  const fields = operation.getFields();
  const query = operation.getQueryParameters();
  return paragraphs([
    `${marks} ${operation.getHttpMethod()} ${plain(service.getPaths(operation).at(-1) ?? '')}`,
    operation.isDeprecated() ? '**Deprecated.** It works, but new clients should not use it.' : '',
    prose(operation.getDescription(), level),
    access(service.getApi(), operation),
    ...(query.length === 0 ? [] : [`${below} In the query`, parameterTable(query)]),
    ...(operation.getRequestSchema() === null
      ? []
      : [
          `${below} Request body`,
          prose(operation.getRequestDescription(), level + 1),
          types('Sent as', operation.getRequestContentTypes()),
          fieldTable(fields),
          example(operation.getRequestExample()),
        ]),
    `${below} Answer`,
    prose(operation.getResponseDescription(), level + 1),
    types('Comes as', operation.getResponseContentTypes()),
    ...(isWhole ? answer(service, operation) : []),
    table(
      ['Status', 'Meaning'],
      operation.getResponseStatusCodes().map(({ code: status, message }) => [String(status), plain(message)]),
    ),
    example(operation.getResponseExample()),
  ]);
}

/** What a procedure answers; what a resource answers are the fields of its service. */
function answer(service: Service, operation: Operation): readonly string[] {
  const schema = operation.getResponseSchema();
  const fields = docAnswerFields(service, operation);
  if (schema === null || fields.length === 0) return [];
  return [fieldTable(fields), mayBeNull(schema) ? 'The answer may be `null`.' : ''];
}

/** Who may call it. */
function access(api: Api | null, operation: Operation): string {
  const adapters = operation.getAdapters().map((name) => {
    const adapter = api?.getAdapters().find((one) => one.name === name);
    if (adapter === undefined) return `credentials of the adapter ${code(name)}`;
    const schemes = adapter.schemes.map((scheme) => scheme.replace(/^./, (letter) => letter.toUpperCase()));
    return `HTTP ${schemes.join(' or ')} credentials of the realm ${code(adapter.realm)}`;
  });
  if (operation.requiresAuthorization()) {
    const needed =
      adapters.length === 0
        ? 'Closed: guests are refused, and there is no way to sign in.'
        : `Needs ${adapters.join(', or ')}.`;
    return needed + policyWords(operation);
  }
  return adapters.length === 0
    ? 'Open to everyone.'
    : `Open to everyone; ${adapters.join(', or ')} are taken, and have to be right.`;
}

function policyWords(operation: Operation): string {
  const policy = operation.getAuthorizationPolicy();
  if (policy === null) return '';
  const whom = policy.description === '' ? '.' : `, which lets in: ${plain(policy.description)}`;
  return ` Which users may call it is decided by the policy ${code(policy.name)}${whom}`;
}

function types(words: string, mediaTypes: readonly string[]): string {
  return mediaTypes.length === 0 ? '' : `${words} ${mediaTypes.map(code).join(' or ')}.`;
}

function example(value: unknown): string {
  if (value === undefined) return '';
  const text = jsonExcerpt(value);
  return text === undefined
    ? 'The example is too long to be shown here: [openapi](?format=openapi) has it.'
    : block('json', text);
}
