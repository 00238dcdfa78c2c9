import { listOf } from '../../../framework';
import { fieldTexts } from '../../content-negotiation';
import { securitySchemesOf, type SecurityScheme } from '../../mvc-auth';
import type { ParameterData } from '../model/data';
import type { Operation } from '../model/operation';
import { replaceParameters } from '../model/route';
import type { Service } from '../model/service';
import { adaptersOf, capitalized } from '../view-helpers/security';
import { FORM, formFields, MULTIPART, type FormField } from './form-fields';

/** How a sample authenticates: a scheme that the languages support, or a header field with a placeholder. */
export type SampleCredentials = 'basic' | 'digest' | { readonly header: string; readonly value: string };

/** A header field of a sample. */
export type HeaderField = readonly [name: string, value: string];

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
  /** Undefined if guests may call it, and for a key in the query. */
  readonly credentials: SampleCredentials | undefined;
  readonly body: SampleBody | undefined;
  /** Required header fields of the operation, such as `If-Match`. */
  readonly headers?: readonly HeaderField[];
  /** Whether the response is JSON, if known. */
  readonly answersJson: boolean;
}

/** Returns the sample call of an operation. */
export function sampleCall(service: Service, operation: Operation): SampleCall {
  const api = service.getApi();
  const prefix = api === null ? '' : `${api.getBaseUrl()}${api.getVersionPath()}`;
  const method = operation.getHttpMethod();
  const accept = operation.getResponseContentTypes()[0];
  const hasContent = method !== 'HEAD' && operation.getUsualStatus() !== 204;
  const security = securityOf(service, operation);
  const keyParameter =
    security?.type === 'apiKey' && security.in === 'query' ? encodeURIComponent(security.name) : undefined;
  return {
    method,
    path: prefix + pathOf(service, operation),
    query: [...queryOf(operation), ...(keyParameter === undefined ? [] : [`${keyParameter}=API_KEY`])],
    accept,
    credentials: security === undefined ? undefined : credentialsOf(security),
    body: bodyOf(operation),
    headers: headersOf(operation),
    answersJson: hasContent && accept !== undefined && /[/+]json$/.test(accept),
  };
}

/** Returns the URL. @param origin scheme, host and port, e.g. `https://api.example.org` */
export function addressOf({ path, query }: SampleCall, origin: string): string {
  return origin + path + (query.length === 0 ? '' : `?${query.join('&')}`);
}

function pathOf(service: Service, operation: Operation): string {
  const path = encodeURI(service.getPaths(operation).at(-1) ?? '');
  const parameters = new Map(service.getRouteParameters().map((parameter) => [parameter.name, parameter]));
  return replaceParameters(path, (name) => examplesOf(name, parameters.get(name)).join(','));
}

function queryOf(operation: Operation): readonly string[] {
  return operation
    .getQueryParameters()
    .filter(({ required, example }) => required || (example !== undefined && example !== null))
    .flatMap((parameter) =>
      examplesOf(parameter.name, parameter).map((text) => `${encodeURIComponent(parameter.name)}=${text}`),
    );
}

/** Returns the required header fields; of several, one of which is required (428), the first. */
function headersOf(operation: Operation): readonly HeaderField[] {
  const headers = operation.getRequestHeaders();
  const required = headers.filter((one) => one.required);
  const isConditional = operation.getResponseStatusCodes().some(({ code }) => code === 428);
  return (required.length === 0 && isConditional ? headers.slice(0, 1) : required).map(({ name }) => [
    name,
    // An entity tag is a quoted string.
    name === 'If-Match' ? '"ETAG"' : name.toUpperCase(),
  ]);
}

/** Returns the encoded example of a parameter: several texts if it is a list. */
function examplesOf(name: string, parameter: ParameterData | undefined): readonly string[] {
  const { example = listOf(parameter?.schema.examples)[0] } = parameter ?? {};
  return (example === undefined ? [name.toUpperCase()] : fieldTexts(example)).map(encodeURIComponent);
}

/** What a sample sends if authentication is required: Digest, otherwise Basic, otherwise the first of the adapters. */
function securityOf(service: Service, operation: Operation): SecurityScheme | undefined {
  if (!operation.requiresAuthorization()) return undefined;
  const security = adaptersOf(service, operation).flatMap(securitySchemesOf);
  const http = (name: string): SecurityScheme | undefined =>
    security.find((one) => one.type === 'http' && one.scheme === name);
  return http('digest') ?? http('basic') ?? security[0];
}

function credentialsOf(security: SecurityScheme): SampleCredentials | undefined {
  if (security.type === 'apiKey')
    return security.in === 'query' ? undefined : { header: security.name, value: 'API_KEY' };
  if (security.type !== 'http' || security.scheme === 'bearer')
    return { header: 'Authorization', value: 'Bearer TOKEN' };
  const { scheme } = security;
  if (scheme === 'digest' || scheme === 'basic') return scheme;
  return { header: 'Authorization', value: `${capitalized(scheme)} CREDENTIALS` };
}

function bodyOf(operation: Operation): SampleBody | undefined {
  const types = operation.getRequestContentTypes();
  const type = types.find((candidate) => candidate.includes('json')) ?? types[0];
  if (type === undefined || operation.getRequestSchema() === null) return undefined;
  const value = operation.getRequestExample() ?? {};
  return type === MULTIPART || type === FORM ? { type, value, form: formFields(operation) } : { type, value };
}
