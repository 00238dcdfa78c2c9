import type { TIntersect, TObject, TSchema, TUnion } from '@sinclair/typebox';
import type { AccessRule } from '../mvc-auth';
import type { BodyValidator } from './body-validator';
import type { HandlerContext } from './context';
import type { StreamType } from './stream-types';

/** An object, or what is made of several: all of them at once, or one of them. */
export type ObjectSchema = TObject | TIntersect | TUnion;

/** One method of a service. */
export interface OperationDefinition {
  readonly description?: string;
  readonly request_description?: string;
  readonly response_description?: string;
  /** Query parameters; others are refused. */
  readonly query?: TObject;
  /** The request's body, where it differs from the service's fields. */
  readonly fields?: ObjectSchema;
  /** The answer's body, where it differs from the entity (or a collection of it). */
  readonly response?: TSchema;
  /** Who may call it; as its service has it, unless told. */
  readonly authorization?: AccessRule;
  /** Further statuses that its handler answers with. */
  readonly status_codes?: readonly { readonly code: number; readonly message: string }[];
  readonly examples?: { readonly request?: unknown; readonly response?: unknown };
  /** Media types of bodies that it takes, where they differ from the service's. */
  readonly content_type?: readonly string[];
  /** `Cache-Control` of its successful answers, e.g. `public, max-age=60` (RFC 9111, 5.2). */
  readonly cache_control?: string;
  readonly deprecated?: boolean;
  /** What checks its body, beside those of the service. */
  readonly validators?: readonly ValidatorReference[];
  /** Seconds that it may take, where that differs from the service's; 0 for no limit. */
  readonly timeout?: number;
  /**
   * Seconds without an event after which a stream of `text/event-stream` tells that it goes on; 0 for never. As the
   * service, the API or the platform has it, unless told.
   */
  readonly heartbeat?: number;
  /**
   * `required`: nothing is changed for those who do not say which state they saw (`If-Match`; RFC 6585, 3). The
   * resource must give revisions.
   */
  readonly precondition?: 'required';
  /**
   * The media types in which what it returns (an async iterable, a stream) goes out item by item, chosen by `Accept`,
   * the first unless told; `response` is then the schema of an item. For procedures, and the GET of a collection.
   */
  readonly stream?: readonly StreamType[];
  /**
   * The media types of the `Response` that its handler makes itself, such as a picture's, chosen by `Accept`, the first
   * unless told. For procedures.
   */
  readonly response_type?: readonly string[];
}

export type CollectionMethod = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type EntityMethod = 'GET' | 'PUT' | 'PATCH' | 'DELETE';

/** One method of a collection. */
export interface CollectionOperationDefinition extends OperationDefinition {
  /** What a GET can be ordered by: `sort: ['name', 'price']` takes `?sort=-price,name`. */
  readonly sort?: readonly string[];
  /** The order unless asked for another, e.g. `-price,name`. */
  readonly default_sort?: string;
}

/** A validator, or its name in the container. */
export type ValidatorReference = BodyValidator | string;

/** What a procedure runs. Written as a method's type: a handler may know its context's types more closely. */
export type RpcHandler = { handle(context: HandlerContext): unknown }['handle'];

/** One method of an RPC service. */
export interface ProcedureDefinition extends OperationDefinition {
  /** The status of success, e.g. 201 or 202; 200 unless told. With 204, what the handler returns is left out. */
  readonly status?: number;
  /** A function, or the name of one in the container. */
  readonly handler: RpcHandler | string;
}
