import type {
  HeaderData,
  OperationData,
  ParameterData,
  PolicyData,
  RateLimitData,
  StatusCodeData,
} from './data';
import { fieldJson, type FieldJson } from './field';

/** The JSON of the scopes that permit an operation. */
export interface ScopesJson {
  /** One of them is enough. */
  readonly any_of: readonly string[];
  /** Whether some users and groups are permitted without any. */
  readonly others_permitted: boolean;
}

/** The JSON of an operation. */
export interface OperationJson {
  readonly http_method: string;
  /** What its path has after that of the collection; absent for most. */
  readonly subpath?: string;
  /** Absent if none is declared. */
  readonly operation_id?: string;
  /** One line; absent if none is declared. */
  readonly summary?: string;
  /** Its tags, if they differ from those of the service. */
  readonly tags?: readonly string[];
  readonly description: string;
  readonly request_description: string;
  readonly response_description: string;
  readonly requires_authorization: boolean;
  /** The policy that decides which users may call it; absent if there is none. */
  readonly authorization_policy?: PolicyData;
  /** The scopes that permit it; absent if there are none. */
  readonly authorization_scopes?: ScopesJson;
  /** All of them apply; absent if there are none. */
  readonly rate_limits?: readonly RateLimitData[];
  readonly response_status_codes: readonly StatusCodeData[];
  readonly request_accept_types: readonly string[];
  readonly request_content_types: readonly string[];
  readonly response_content_types: readonly string[];
  readonly fields: readonly FieldJson[];
  readonly query_parameters: readonly ParameterData[];
  /** Absent if there are none. */
  readonly request_headers?: readonly ParameterData[];
  readonly response_headers?: readonly HeaderData[];
  readonly deprecated: boolean;
  /** Absent if there is none; `null` is a possible example. */
  readonly request_example?: unknown;
  readonly response_example?: unknown;
}

/** Returns the JSON of an operation. */
export function operationJson(data: OperationData): OperationJson {
  return {
    http_method: data.httpMethod,
    ...(data.subpath === undefined ? {} : { subpath: data.subpath }),
    ...(data.operationId === undefined ? {} : { operation_id: data.operationId }),
    ...(data.summary === undefined ? {} : { summary: data.summary }),
    ...(data.tags === undefined ? {} : { tags: data.tags }),
    description: data.description,
    request_description: data.requestDescription,
    response_description: data.responseDescription,
    requires_authorization: data.requiresAuthorization,
    ...(data.policy === undefined ? {} : { authorization_policy: data.policy }),
    ...(data.scopes === undefined
      ? {}
      : {
          authorization_scopes: {
            any_of: data.scopes.anyOf,
            others_permitted: data.scopes.othersPermitted,
          },
        }),
    ...(data.rateLimits === undefined ? {} : { rate_limits: data.rateLimits }),
    response_status_codes: data.responseStatusCodes,
    request_accept_types: data.acceptTypes,
    request_content_types: data.contentTypes,
    response_content_types: data.responseContentTypes,
    fields: data.fields.map(fieldJson),
    query_parameters: data.queryParameters,
    ...(data.requestHeaders === undefined ? {} : { request_headers: data.requestHeaders }),
    ...(data.responseHeaders === undefined ? {} : { response_headers: data.responseHeaders }),
    deprecated: data.deprecated ?? false,
    ...(data.requestExample === undefined ? {} : { request_example: data.requestExample }),
    ...(data.responseExample === undefined ? {} : { response_example: data.responseExample }),
  };
}
