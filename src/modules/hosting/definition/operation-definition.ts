import type { TIntersect, TObject, TSchema, TUnion } from '@sinclair/typebox';
import type { AccessRule } from '../../mvc-auth';
import type { BodyValidator } from '../compile/operation/body-validator';
import type { HandlerContext } from '../context';
import type { HooksReference } from '../hooks/operation-hooks';
import type { StreamType } from '../streaming/stream-types';

/** A schema of objects: an object, an intersection, or a union. */
export type ObjectSchema = TObject | TIntersect | TUnion;

/** An additional response status of an operation. */
export interface StatusDefinition {
  readonly code: number;
  readonly message: string;
  /** The response schema for this success status, if it differs from the operation's. */
  readonly response?: TSchema;
}

/** One method of a service. */
export interface OperationDefinition {
  /**
   * Its `operationId` in OpenAPI, unique within a version: visible ASCII characters, at most 200. Defaults to a generated
   * one.
   */
  readonly operation_id?: string;
  /** One line: the operation's title in the documentation, and its `summary` in OpenAPI. */
  readonly summary?: string;
  /** Its tags, if they differ from those of the service: its group in the documentation, and `tags` in OpenAPI. */
  readonly tags?: readonly string[];
  readonly description?: string;
  readonly request_description?: string;
  readonly response_description?: string;
  /** Query parameters; others are rejected. */
  readonly query?: TObject;
  /** The request body, if it differs from the service's fields. */
  readonly fields?: ObjectSchema;
  /** The response body, if it differs from the entity (or a collection of it). */
  readonly response?: TSchema;
  /** Access rule; defaults to that of the service. */
  readonly authorization?: AccessRule;
  /** Additional statuses of its responses. */
  readonly status_codes?: readonly StatusDefinition[];
  readonly examples?: { readonly request?: unknown; readonly response?: unknown };
  /** Request media types, if they differ from the service's. */
  readonly content_type?: readonly string[];
  /** `Cache-Control` of its successful responses, e.g. `public, max-age=60` (RFC 9111, 5.2). */
  readonly cache_control?: string;
  readonly deprecated?: boolean;
  /** Custom validators of its body, in addition to the service's. */
  readonly validators?: readonly ValidatorReference[];
  /** Code around it, inside that of its service and API, or its container name. */
  readonly hooks?: HooksReference;
  /** Timeout in seconds, if it differs from the service's; 0 for no limit. */
  readonly timeout?: number;
  /**
   * Seconds between heartbeats of an idle `text/event-stream`; 0 for none. Defaults to that of the service, the API
   * or the platform.
   */
  readonly heartbeat?: number;
  /** `required`: rejects requests without `If-Match` (428; RFC 6585, 3). The resource must provide revisions. */
  readonly precondition?: 'required';
  /**
   * Stream media types, chosen by `Accept`, the default first: the returned async iterable or stream is sent item
   * by item, and `response` is the schema of an item. For procedures, and the GET of a collection. A paged collection
   * needs a resource with `streamAll`, and its QUERY one with `streamQuery`, which have `text/csv` too; its pages are
   * the default.
   */
  readonly stream?: readonly StreamType[];
  /**
   * Media types of the `Response` that its handler returns, such as images, chosen by `Accept`, the default first.
   * For procedures.
   */
  readonly response_type?: readonly string[];
}

/**
 * `QUERY` lists entities like GET, by a query in the request body (draft-ietf-httpbis-safe-method-w-body). It is also
 * served as `POST <collection>/query`, which clients and documents without the method use.
 */
export type CollectionMethod = 'GET' | 'QUERY' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type EntityMethod = 'GET' | 'PUT' | 'PATCH' | 'DELETE';

/** One method of a collection. */
export interface CollectionOperationDefinition extends OperationDefinition {
  /**
   * Members by which a GET can be sorted: `sort: ['name', 'price']` allows `?sort=-price,name`. A QUERY has those of
   * the GET by default.
   */
  readonly sort?: readonly string[];
  /** The default order, e.g. `-price,name`. */
  readonly default_sort?: string;
}

/** A validator, or its container name. */
export type ValidatorReference = BodyValidator | string;

/** The function of a procedure. Declared as a method so that a handler may narrow the type of its context. */
export type RpcHandler = { handle(context: HandlerContext): unknown }['handle'];

/** One method of an RPC service. */
export interface ProcedureDefinition extends OperationDefinition {
  /** The success status, e.g. 201 or 202; defaults to 200. With 204, the result is ignored. */
  readonly status?: number;
  /** A function, or its container name. */
  readonly handler: RpcHandler | string;
}
