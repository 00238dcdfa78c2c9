/**
 * The plain records that the object model is built from: what a catalogue knows, with no behaviour.
 * The classes beside this file copy and freeze them, so that a caller may go on using its own.
 */

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
  /** Absent means that there is none; `null` is an example like any other. */
  readonly example?: unknown;
  /** The members of an object, or of the objects in an array. */
  readonly fields?: readonly FieldData[];
  /** There are members, but too many of them, or too deep: only the schema tells them. */
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

/** An expected answer: the status code and its reason phrase. */
export interface StatusCodeData {
  readonly code: number;
  readonly message: string;
}

/** A header field of answers. */
export interface HeaderData {
  readonly name: string;
  readonly description: string;
  /** The status codes of the answers that have it. */
  readonly codes: readonly number[];
}

/** A policy that decides which users may call an operation. */
export interface PolicyData {
  readonly name: string;
  /** Whom it lets in; may be empty. */
  readonly description: string;
}

/** One method of a collection, an entity or a procedure. */
export interface OperationData {
  readonly httpMethod: string;
  readonly entity: boolean;
  readonly description: string;
  readonly requestDescription: string;
  readonly responseDescription: string;
  readonly requiresAuthorization: boolean;
  /** What decides which users may call it; absent where none does. */
  readonly policy?: PolicyData;
  /** Names of the adapters whose credentials are taken, even where guests are allowed. */
  readonly adapters: readonly string[];
  readonly acceptTypes: readonly string[];
  readonly contentTypes: readonly string[];
  readonly responseContentTypes: readonly string[];
  readonly fields: readonly FieldData[];
  readonly queryParameters: readonly ParameterData[];
  /** Header fields that change what the operation does, e.g. `If-Match`. */
  readonly requestHeaders?: readonly ParameterData[];
  readonly responseHeaders?: readonly HeaderData[];
  readonly requestSchema: JsonSchema | null;
  readonly responseSchema: JsonSchema | null;
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
  /** The route without the version's prefix, e.g. `/atlas/countries[/:country_code]`. */
  readonly route: string;
  readonly routeIdentifierName: string | null;
  readonly routeParameters: readonly ParameterData[];
  readonly requestAcceptTypes: readonly string[];
  readonly requestContentTypes: readonly string[];
  readonly responseContentTypes: readonly string[];
  readonly fields: readonly FieldData[];
  /** The operations of the collection, or of the procedure. */
  readonly operations: readonly OperationData[];
  readonly entityOperations: readonly OperationData[];
  readonly responseStatusCodes: readonly StatusCodeData[];
}

/** An authentication adapter, as far as a reader of documentation has to know it. */
export interface AdapterData {
  readonly name: string;
  readonly realm: string;
  /** In lower case, e.g. `digest`. */
  readonly schemes: readonly string[];
}

/** The licence under which an API is offered. */
export interface LicenseData {
  readonly name: string;
  readonly url?: string;
}

/** Whom those ask who use an API. */
export interface ContactData {
  readonly name?: string;
  readonly url?: string;
  readonly email?: string;
}

/** A schema that the operations of an API share: its name is told wherever it is used. */
export interface SharedSchemaData {
  readonly name: string;
  /** It refers to the others as `#/$defs/<name>`, as do the schemas that have them as their `$defs`. */
  readonly schema: JsonSchema;
  /**
   * Schemas of operations that are this one, with no more beside it than texts and examples: the same objects as there.
   */
  readonly uses: readonly { readonly schema: JsonSchema; readonly beside: JsonSchema }[];
}

/** One version of an API. */
export interface ApiData {
  readonly name: string;
  readonly version: number;
  readonly description: string;
  readonly services: readonly ServiceData[];
  /** None unless told. */
  readonly schemas?: readonly SharedSchemaData[];
  readonly adapters: readonly AdapterData[];
  /** The path before every route, e.g. `/api`; may be empty. */
  readonly baseUrl: string;
  /** The path of the API before its version's prefix; empty for none. */
  readonly basePath?: string;
  /** Every version of this API, this one included. */
  readonly versions: readonly number[];
  readonly defaultVersion: number;
  readonly license?: LicenseData;
  readonly contact?: ContactData;
}
