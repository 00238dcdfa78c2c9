/**
 * The plain records that the object model is built from.
 * The classes of the model copy and freeze them, so that callers may keep using their own.
 */

import type { SecurityScheme } from '../../mvc-auth';

/** A JSON Schema (2020-12) object. TypeBox schemas are such objects. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One configured field of a service or of an operation's request. */
export interface FieldData {
  readonly name: string;
  readonly description: string;
  readonly required: boolean;
  /** A short name for people, such as `string`, `array of Currency` or `string or null`. */
  readonly type: string;
  readonly schema: JsonSchema;
  /** Absent if there is none; `null` is a possible example. */
  readonly example?: unknown;
  /** The members of an object, or of the objects in an array. */
  readonly fields?: readonly FieldData[];
  /** Whether members are omitted because they are too many or too deep; the schema has them. */
  readonly cut?: true;
}

/** A parameter of the route or of the query, or a header field. */
export interface ParameterData {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly description: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

/** An expected response: the status code and its reason phrase. */
export interface StatusCodeData {
  readonly code: number;
  readonly message: string;
}

/** A response header. */
export interface HeaderData {
  readonly name: string;
  readonly description: string;
  /** The status codes of the responses that have it. */
  readonly codes: readonly number[];
}

/** A policy that decides which users may call an operation. */
export interface PolicyData {
  readonly name: string;
  /** Describes the users that it allows; may be empty. */
  readonly description: string;
}

/** The scopes that permit an operation. */
export interface ScopesData {
  /** One of them is enough. */
  readonly anyOf: readonly string[];
  /** Whether some users and groups are permitted without any. */
  readonly othersPermitted: boolean;
}

/** A rate limit of an operation. */
export interface RateLimitData {
  /** Requests. */
  readonly limit: number;
  /** Seconds. */
  readonly window: number;
  readonly per: 'user' | 'address' | 'all';
  /** How much a request of this operation counts, if that is not 1. */
  readonly weight?: number;
  /** For people, in English. */
  readonly description: string;
}

/** One method of a collection, an entity or an RPC service. */
export interface OperationData {
  readonly httpMethod: string;
  readonly entity: boolean;
  /** What its path has after that of the collection: `/query`. */
  readonly subpath?: string;
  /** Its `operationId` in OpenAPI; absent if none is declared. */
  readonly operationId?: string;
  /** One line. */
  readonly summary?: string;
  /** Its tags, if they differ from those of the service. */
  readonly tags?: readonly string[];
  readonly description: string;
  readonly requestDescription: string;
  readonly responseDescription: string;
  readonly requiresAuthorization: boolean;
  /** The policy that decides which users may call it; absent if there is none. */
  readonly policy?: PolicyData;
  /** The scopes that permit it; absent if there are none. */
  readonly scopes?: ScopesData;
  /** Names of the adapters whose credentials are accepted, even if guests are allowed. */
  readonly adapters: readonly string[];
  /** All of them apply; absent if there are none. */
  readonly rateLimits?: readonly RateLimitData[];
  readonly acceptTypes: readonly string[];
  readonly contentTypes: readonly string[];
  readonly responseContentTypes: readonly string[];
  readonly fields: readonly FieldData[];
  readonly queryParameters: readonly ParameterData[];
  /** Header fields that affect the operation, e.g. `If-Match`. */
  readonly requestHeaders?: readonly ParameterData[];
  readonly responseHeaders?: readonly HeaderData[];
  readonly requestSchema: JsonSchema | null;
  /** The schema of a form, if the other media types may have a list too. */
  readonly formSchema?: JsonSchema;
  readonly responseSchema: JsonSchema | null;
  /** Schemas of success statuses that differ from `responseSchema`. */
  readonly responseSchemas?: readonly { readonly code: number; readonly schema: JsonSchema }[];
  /** Whether it responds with streams, item by item. */
  readonly streams?: boolean;
  /** Schema of an item of its streams, if it responds with pages as well. */
  readonly itemSchema?: JsonSchema;
  readonly itemExample?: unknown;
  /** The declared success status, to which the description and example of the response belong. */
  readonly status?: number;
  readonly responseStatusCodes: readonly StatusCodeData[];
  readonly requestExample?: unknown;
  readonly responseExample?: unknown;
  readonly deprecated?: boolean;
}

/** A REST or RPC service of one version of an API. */
export interface ServiceData {
  readonly name: string;
  readonly kind: 'rest' | 'rpc';
  readonly description: string;
  /** Tags of its operations in OpenAPI; defaults to its name. */
  readonly tags?: readonly string[];
  /** The route without the version's prefix, e.g. `/atlas/countries[/:country_code]`. */
  readonly route: string;
  /** The last of several identifiers. */
  readonly routeIdentifierName: string | null;
  /** All parameters that identify an entity, if there are several. */
  readonly routeIdentifierNames?: readonly string[];
  readonly routeParameters: readonly ParameterData[];
  readonly requestAcceptTypes: readonly string[];
  readonly requestContentTypes: readonly string[];
  readonly responseContentTypes: readonly string[];
  readonly fields: readonly FieldData[];
  /** The schema of these fields; absent for an RPC service, whose operations have schemas of their own. */
  readonly schema?: JsonSchema;
  /** The operations of the collection, or of the RPC service. */
  readonly operations: readonly OperationData[];
  readonly entityOperations: readonly OperationData[];
  readonly responseStatusCodes: readonly StatusCodeData[];
}

/** An authentication adapter. */
export interface AdapterData {
  readonly name: string;
  readonly realm: string;
  /** HTTP authentication schemes in lower case, e.g. `digest`. */
  readonly schemes: readonly string[];
  /** What clients send; defaults to the HTTP schemes. */
  readonly security?: readonly SecurityScheme[];
}

/** The licence under which an API is offered. */
export interface LicenseData {
  readonly name: string;
  readonly url?: string;
}

/** The contact of an API. */
export interface ContactData {
  readonly name?: string;
  readonly url?: string;
  readonly email?: string;
}

/** A named schema that the operations of an API share. */
export interface SharedSchemaData {
  readonly name: string;
  /** It refers to others as `#/$defs/<name>`, like the schemas that have them in their `$defs`. */
  readonly schema: JsonSchema;
  /** The schemas of operations (by identity) that are this schema with annotations. */
  readonly uses: readonly { readonly schema: JsonSchema; readonly annotations: JsonSchema }[];
}

/** One version of an API. */
export interface ApiData {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  readonly services: readonly ServiceData[];
  /** Defaults to none. */
  readonly schemas?: readonly SharedSchemaData[];
  readonly adapters: readonly AdapterData[];
  /** The path before every route, e.g. `/api`; may be empty. */
  readonly baseUrl: string;
  /** The configured origin that clients use, e.g. `https://api.example.com`; empty for none. */
  readonly publicUrl?: string;
  /** The path of the API before its version's prefix; empty for none. */
  readonly basePath?: string;
  /** Every version of this API, this one included. */
  readonly versions: readonly number[];
  readonly defaultVersion: number;
  /** The day of the version's release, `2026-12-31`. */
  readonly releaseDate?: string;
  /** What the version changes for clients, as CommonMark; empty for none. */
  readonly releaseNotes?: string;
  readonly license?: LicenseData;
  readonly contact?: ContactData;
}
