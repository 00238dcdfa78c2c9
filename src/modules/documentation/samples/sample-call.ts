import type { ParameterData } from '../model/data';
import type { Operation } from '../model/operation';
import { parametersOfPath } from '../model/route';
import type { Service } from '../model/service';
import { FORM, formFields, MULTIPART, type FormField } from './form-fields';

/** How a sample signs in: what languages have words for, or a scheme that they have none for. */
export type SampleCredentials = 'basic' | 'digest' | { readonly scheme: string };

/** A body of a sample: its media type and an example of it. */
export interface SampleBody {
  readonly type: string;
  readonly value: unknown;
  /** The fields, where it is a form. */
  readonly form?: readonly FormField[];
}

/** A call of an operation with its examples filled in, before it is written in a language. */
export interface SampleCall {
  readonly method: string;
  /** Behind the origin: base URL, version and route, encoded, without query. */
  readonly path: string;
  /** Pairs `name=value`, encoded. */
  readonly query: readonly string[];
  /** The media type that is asked for; undefined where the answer has no body. */
  readonly accept: string | undefined;
  /** Undefined where guests may call it. */
  readonly credentials: SampleCredentials | undefined;
  readonly body: SampleBody | undefined;
  /** Whether the answer is JSON, as far as it is known. */
  readonly answersJson: boolean;
}

/** The call that the samples of an operation make. */
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

/** The whole address. @param origin scheme, host and port, e.g. `https://api.example.org` */
export function addressOf({ path, query }: SampleCall, origin: string): string {
  return origin + path + (query.length === 0 ? '' : `?${query.join('&')}`);
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

/** The strongest of what the operation's adapters take, where guests are refused. */
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
