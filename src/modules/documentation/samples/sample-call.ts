import type { ParameterData } from '../model/data';
import type { Operation } from '../model/operation';
import { parametersOfPath } from '../model/route';
import type { Service } from '../model/service';
import { FORM, formFields, MULTIPART, type FormField } from './form-fields';

/** How a sample authenticates: a scheme that the languages support, or another one. */
export type SampleCredentials = 'basic' | 'digest' | { readonly scheme: string };

/** The body of a sample: its media type and an example. */
export interface SampleBody {
  readonly type: string;
  readonly value: unknown;
  /** The fields of a form. */
  readonly form?: readonly FormField[];
}

/** A call of an operation with its examples, independent of the language. */
export interface SampleCall {
  readonly method: string;
  /** The URL path: base URL, version and route, encoded, without the query. */
  readonly path: string;
  /** Encoded pairs `name=value`. */
  readonly query: readonly string[];
  /** The media type for `Accept`; undefined if the response has no body. */
  readonly accept: string | undefined;
  /** Undefined if guests may call it. */
  readonly credentials: SampleCredentials | undefined;
  readonly body: SampleBody | undefined;
  /** Whether the response is JSON, if known. */
  readonly answersJson: boolean;
}

/** Returns the sample call of an operation. */
export function sampleCall(service: Service, operation: Operation): SampleCall {
  const api = service.getApi();
  const prefix = api === null ? '' : `${api.getBaseUrl()}${api.getVersionPath()}`;
  const method = operation.getHttpMethod();
  const accept = operation.getResponseContentTypes()[0];
  return {
    method,
    path: prefix + pathOf(service, operation),
    query: queryOf(operation),
    accept,
    credentials: credentialsOf(service, operation),
    body: bodyOf(operation),
    answersJson: method !== 'HEAD' && accept !== undefined && /[/+]json$/.test(accept),
  };
}

/** Returns the URL. @param origin scheme, host and port, e.g. `https://api.example.org` */
export function addressOf({ path, query }: SampleCall, origin: string): string {
  return origin + path + (query.length === 0 ? '' : `?${query.join('&')}`);
}

function pathOf(service: Service, operation: Operation): string {
  const path = service.getPaths(operation).at(-1) ?? '';
  const parameters = new Map(service.getRouteParameters().map((parameter) => [parameter.name, parameter]));
  // Longest name first: `:id` would be replaced inside `:id_of_visit`.
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

/** Returns the strongest scheme of the operation's adapters, if authentication is required. */
function credentialsOf(service: Service, operation: Operation): SampleCredentials | undefined {
  if (!operation.requiresAuthorization()) return undefined;
  const schemes = (service.getApi()?.getAdapters() ?? [])
    .filter((adapter) => operation.getAdapters().includes(adapter.name))
    .flatMap((adapter) => adapter.schemes);
  const [first] = schemes;
  if (schemes.includes('digest')) return 'digest';
  if (schemes.includes('basic')) return 'basic';
  return first === undefined ? undefined : { scheme: first.replace(/^./, (letter) => letter.toUpperCase()) };
}

function bodyOf(operation: Operation): SampleBody | undefined {
  const types = operation.getRequestContentTypes();
  const type = types.find((candidate) => candidate.includes('json')) ?? types[0];
  if (type === undefined || operation.getRequestSchema() === null) return undefined;
  const value = operation.getRequestExample() ?? {};
  return type === MULTIPART || type === FORM ? { type, value, form: formFields(operation) } : { type, value };
}
