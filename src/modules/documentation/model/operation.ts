import { immutable } from '../../../framework';
import type {
  HeaderData,
  JsonSchema,
  OperationData,
  ParameterData,
  PolicyData,
  RateLimitData,
  ScopesData,
  StatusCodeData,
} from './data';
import { Field } from './field';
import { operationJson, type OperationJson } from './operation-json';

/** One method of a collection, an entity or a procedure (specification 2.4). */
export class Operation {
  readonly #data: OperationData;
  readonly #fields: readonly Field[];

  constructor(data: OperationData) {
    this.#data = immutable(data);
    this.#fields = Object.freeze(this.#data.fields.map((field) => new Field(field)));
    Object.freeze(this);
  }

  getHttpMethod(): string {
    return this.#data.httpMethod;
  }

  /** Its `operationId` in OpenAPI; empty if none is declared. */
  getOperationId(): string {
    return this.#data.operationId ?? '';
  }

  /** One line; empty if none is declared. */
  getSummary(): string {
    return this.#data.summary ?? '';
  }

  /** Its tags, if they differ from those of the service; empty if they do not. */
  getTags(): readonly string[] {
    return this.#data.tags ?? [];
  }

  getDescription(): string {
    return this.#data.description;
  }

  getRequestDescription(): string {
    return this.#data.requestDescription;
  }

  getResponseDescription(): string {
    return this.#data.responseDescription;
  }

  /** Whether it is an operation of an entity rather than of the collection. */
  isEntity(): boolean {
    return this.#data.entity;
  }

  /** What its path has after that of the collection, such as `/query`; empty for most. */
  getSubpath(): string {
    return this.#data.subpath ?? '';
  }

  isDeprecated(): boolean {
    return this.#data.deprecated ?? false;
  }

  /** Whether guests are rejected. */
  requiresAuthorization(): boolean {
    return this.#data.requiresAuthorization;
  }

  /** The policy that decides which users may call it; null if there is none. */
  getAuthorizationPolicy(): PolicyData | null {
    return this.#data.policy ?? null;
  }

  /** The scopes that permit it; null if there are none. */
  getScopes(): ScopesData | null {
    return this.#data.scopes ?? null;
  }

  /** Names of the adapters whose credentials are accepted, even if guests are allowed. */
  getAdapters(): readonly string[] {
    return this.#data.adapters;
  }

  /** The rate limits, all of which apply; empty if there are none. */
  getRateLimits(): readonly RateLimitData[] {
    return this.#data.rateLimits ?? [];
  }

  getRequestAcceptTypes(): readonly string[] {
    return this.#data.acceptTypes;
  }

  getRequestContentTypes(): readonly string[] {
    return this.#data.contentTypes;
  }

  getResponseContentTypes(): readonly string[] {
    return this.#data.responseContentTypes;
  }

  /** The fields of the request body. */
  getFields(): readonly Field[] {
    return this.#fields;
  }

  getQueryParameters(): readonly ParameterData[] {
    return this.#data.queryParameters;
  }

  /** Header fields that affect the operation, such as `If-Match`. */
  getRequestHeaders(): readonly ParameterData[] {
    return this.#data.requestHeaders ?? [];
  }

  getResponseHeaders(): readonly HeaderData[] {
    return this.#data.responseHeaders ?? [];
  }

  /** Null if the request has no body. */
  getRequestSchema(): JsonSchema | null {
    return this.#data.requestSchema;
  }

  /** The schema of a form: an entity, where the other media types may have a list too. Null if there is no body. */
  getFormSchema(): JsonSchema | null {
    return this.#data.formSchema ?? this.#data.requestSchema;
  }

  /**
   * Returns null if the response has no body, or no declared schema.
   * @param code a success status, which may have a schema of its own
   */
  getResponseSchema(code?: number): JsonSchema | null {
    return this.#data.responseSchemas?.find((one) => one.code === code)?.schema ?? this.#data.responseSchema;
  }

  /** Whether it responds with streams, item by item. */
  isStreamed(): boolean {
    return this.#data.streams ?? false;
  }

  /** Schema of an item of its streams, if it responds with pages as well; otherwise undefined. */
  getItemSchema(): JsonSchema | undefined {
    return this.#data.itemSchema;
  }

  getItemExample(): unknown {
    return this.#data.itemExample;
  }

  /** The success status to which the description and example of the response belong. */
  getUsualStatus(): number | undefined {
    const others = this.getOtherResponseStatuses();
    const successes = this.#data.responseStatusCodes
      .map(({ code }) => code)
      .filter((code) => code >= 200 && code < 300 && !others.includes(code));
    return successes.find((code) => code === this.#data.status) ?? successes[0];
  }

  /** The success statuses with a schema of their own. */
  getOtherResponseStatuses(): readonly number[] {
    return this.#data.responseSchemas?.map(({ code }) => code) ?? [];
  }

  getResponseStatusCodes(): readonly StatusCodeData[] {
    return this.#data.responseStatusCodes;
  }

  /** Undefined if there is none; `null` is a possible example. */
  getRequestExample(): unknown {
    return this.#data.requestExample;
  }

  /** Undefined if there is none; `null` is a possible example. */
  getResponseExample(): unknown {
    return this.#data.responseExample;
  }

  toJSON(): OperationJson {
    return operationJson(this.#data);
  }
}
