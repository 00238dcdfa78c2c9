import type { ParameterData } from '../model/data';
import type { Operation } from '../model/operation';
import { parametersOfPath } from '../model/route';
import type { Service } from '../model/service';

/** What a fresh start listens on; a page can't know the address that its reader came by. */
const ORIGIN = 'http://localhost:8080';

/** A body that fits on the line it starts on; longer ones are indented. */
const LONGEST_BODY = 40;

/** Methods that curl has a better word for than `-X`, or needs none. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = { GET: [], HEAD: ['--head'] };

/**
 * A command line that calls an operation, ready to paste: examples stand in for parameters and body, and curl
 * asks for the password by itself. Plain text, not HTML.
 *
 * @param origin scheme, host and port, e.g. `https://api.example.org`
 */
export function docCurl(service: Service, operation: Operation, origin: string = ORIGIN): string {
  const api = service.getApi();
  const prefix = api === null ? '' : `${api.getBaseUrl()}${api.getVersionPath()}`;
  const method = operation.getHttpMethod();
  const query = queryOf(operation);
  // With -G every pair of the query is a line that can be edited; other methods send -d as their body.
  const get = method === 'GET' && query.length > 0;
  const options = get ? ['-G'] : (OPTIONS[method] ?? ['-X', method]);
  const url = origin + prefix + pathOf(service, operation);
  const address = get || query.length === 0 ? url : `${url}?${query.join('&')}`;
  const parts = [
    ['curl', ...options, quoted(address)].join(' '),
    ...(get ? query.map((pair) => `-d ${quoted(pair)}`) : []),
    ...credentialsOf(service, operation),
    ...operation
      .getResponseContentTypes()
      .slice(0, 1)
      .map((type) => `-H ${quoted(`Accept: ${type}`)}`),
    ...bodyOf(operation),
  ];
  return parts.join(' \\\n  ');
}

function pathOf(service: Service, operation: Operation): string {
  const path = service.getPaths(operation).at(-1) ?? '';
  const parameters = new Map(service.getRouteParameters().map((parameter) => [parameter.name, parameter]));
  // Longest name first, or `:id` would be replaced inside `:id_of_visit`.
  const names = [...parametersOfPath(path)].sort((a, b) => b.length - a.length);
  return names.reduce(
    (text, name) => text.replace(`:${name}`, () => exampleOf(name, parameters.get(name))),
    path,
  );
}

function queryOf(operation: Operation): readonly string[] {
  return operation
    .getQueryParameters()
    .filter((parameter) => parameter.required || parameter.example !== undefined)
    .map((parameter) => `${encodeURIComponent(parameter.name)}=${exampleOf(parameter.name, parameter)}`);
}

function exampleOf(name: string, parameter: ParameterData | undefined): string {
  const examples = parameter?.schema.examples;
  const example: unknown = parameter?.example ?? (Array.isArray(examples) ? examples[0] : undefined);
  const text =
    typeof example === 'string' ? example : example === undefined ? undefined : JSON.stringify(example);
  return encodeURIComponent(text ?? name.toUpperCase());
}

function credentialsOf(service: Service, operation: Operation): readonly string[] {
  if (!operation.requiresAuthorization()) return [];
  const adapters = service.getApi()?.getAdapters() ?? [];
  const schemes = adapters
    .filter((adapter) => operation.getAdapters().includes(adapter.name))
    .flatMap((adapter) => adapter.schemes);
  const [first] = schemes;
  if (first === undefined) return [];
  if (schemes.includes('digest')) return ['--digest -u USER'];
  if (schemes.includes('basic')) return ['-u USER'];
  return [
    `-H ${quoted(`Authorization: ${first.replace(/^./, (letter) => letter.toUpperCase())} CREDENTIALS`)}`,
  ];
}

function bodyOf(operation: Operation): readonly string[] {
  const types = operation.getRequestContentTypes();
  const type = types.find((candidate) => candidate.includes('json')) ?? types[0];
  if (type === undefined || operation.getRequestSchema() === null) return [];
  const example = operation.getRequestExample() ?? {};
  const short = JSON.stringify(example);
  const body = short.length > LONGEST_BODY ? JSON.stringify(example, null, 2) : short;
  return [`-H ${quoted(`Content-Type: ${type}`)}`, `-d ${quoted(body)}`];
}

/** Quoted for a POSIX shell where it has to be. */
function quoted(text: string): string {
  return /^[\w.:/@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
