import type { Static, TObject, TSchema } from '@sinclair/typebox';
import type { Newable } from 'inversify';
import type { MaybePromise } from '../../framework';
import type { AccessRule } from '../mvc-auth';
import type { HandlerContext } from './context';
import type { RestResource } from './resource';

/**
 * The declaration of an API: it drives routing, validation, authorization, documentation and types. It is plain
 * data but for the handlers, and has the same keys in TypeScript and in configuration
 * (`platform-hosting.apis.<Api>`).
 */
export interface ApiDefinition {
  /** Letters, digits, `_` and `.`, beginning with a letter. */
  readonly name: string;
  readonly description?: string;
  readonly license?: { readonly name: string; readonly url?: string };
  /** A path before the version's prefix, e.g. `/shop` for `/shop/v1/products`; empty unless told. */
  readonly base_path?: string;
  /** `authenticated`: the documentation tells guests nothing of the API. `public` unless told. */
  readonly visibility?: Visibility;
  /** The version of requests that name none; the highest, unless told. */
  readonly default_version?: number;
  readonly versions: Readonly<Record<number, VersionDefinition>>;
}

/** Whom the documentation tells of something. */
export type Visibility = 'public' | 'authenticated';

interface VersionDefinition {
  readonly services: Readonly<Record<string, ServiceDefinition>>;
}

/** What REST and RPC services have in common. */
interface CommonDefinition {
  readonly description?: string;
  /** Without the version's prefix, e.g. `/atlas/countries[/:country_code]`. */
  readonly route: string;
  /** Descriptions and schemas of the route's parameters. */
  readonly parameters?: Readonly<Record<string, TSchema>>;
  /** Media types it answers with; JSON, and JSON under the API's own type, unless told. */
  readonly accept?: readonly string[];
  /** Media types it takes as request bodies; the same, unless told. */
  readonly content_type?: readonly string[];
  /** The selector that knows the view models; `Json` unless told. */
  readonly selector?: string;
  /** Bytes that a request body may have. */
  readonly body_limit?: number;
  /** Who may call it; `guest` unless told. */
  readonly authorization?: AccessRule;
}

/** One method of a service. */
export interface OperationDefinition {
  readonly description?: string;
  readonly request_description?: string;
  readonly response_description?: string;
  /** Query parameters; others are refused. */
  readonly query?: TObject;
  /** The request's body, where it differs from the service's fields. */
  readonly fields?: TObject;
  /** The answer's body, where it differs from the entity (or a collection of it). */
  readonly response?: TSchema;
  readonly authorization?: AccessRule;
  /** Further statuses that its handler answers with. */
  readonly status_codes?: readonly { readonly code: number; readonly message: string }[];
  readonly examples?: { readonly request?: unknown; readonly response?: unknown };
  readonly deprecated?: boolean;
}

type CollectionMethod = 'GET' | 'POST';
type EntityMethod = 'GET' | 'PUT' | 'PATCH' | 'DELETE';

/** A REST service: collection and entity operations over one route. */
export interface RestServiceDefinition extends CommonDefinition {
  readonly kind?: 'rest';
  /** The parameter of the route that carries the identifier. */
  readonly route_identifier_name: string;
  /** The member of an entity that holds the identifier; the same name, unless told. */
  readonly entity_identifier_name?: string;
  /** The entity. */
  readonly fields: TObject;
  /** What is sent to create or replace an entity; the entity's fields, unless told. */
  readonly input?: TObject;
  /** The member of a collection's JSON that holds the entities; `items` unless told. */
  readonly collection_name?: string;
  /** Entities on a page; the collection is not paged when it is not said. */
  readonly page_size?: number;
  /** The most that a client may ask for; 100 unless told. */
  readonly max_page_size?: number;
  readonly collection?: Partial<Readonly<Record<CollectionMethod, OperationDefinition>>>;
  readonly entity?: Partial<Readonly<Record<EntityMethod, OperationDefinition>>>;
  /** The resource, its class in the container, or its name there. */
  readonly resource: ResourceReference;
}

export type ResourceReference = RestResource | Newable<RestResource> | string;

/** What a procedure runs. Written as a method's type: a handler may know its context's types more closely. */
export type RpcHandler = { handle(context: HandlerContext): unknown }['handle'];

/** One method of an RPC service. */
export interface ProcedureDefinition extends OperationDefinition {
  /** A function, or the name of one in the container. */
  readonly handler: RpcHandler | string;
}

/** An RPC service: one route, a procedure for each method. */
export interface RpcServiceDefinition extends CommonDefinition {
  readonly kind: 'rpc';
  readonly methods: Readonly<Record<string, ProcedureDefinition>>;
}

export type ServiceDefinition = RestServiceDefinition | RpcServiceDefinition;

/**
 * Declares an API.
 *
 * @example
 * defineApi({ name: 'Shop', versions: { 1: { services: { Product: defineRestService({ … }) } } } })
 */
export function defineApi(definition: ApiDefinition): ApiDefinition {
  return definition;
}

/** A REST service whose resource is typed by its fields: `create(data)` knows the type of `data`. */
export function defineRestService<Fields extends TObject, Input extends TObject = Fields>(
  definition: Omit<RestServiceDefinition, 'fields' | 'input' | 'resource'> & {
    readonly fields: Fields;
    readonly input?: Input;
    readonly resource:
      | RestResource<Static<Fields>, Static<Input>>
      | Newable<RestResource<Static<Fields>, Static<Input>>>
      | string;
  },
): RestServiceDefinition {
  return { kind: 'rest', ...definition };
}

/** The query of a procedure, typed by its schema. */
type TypedProcedure<Query extends TObject, Body extends TObject> = Omit<
  ProcedureDefinition,
  'query' | 'fields' | 'handler'
> & {
  readonly query?: Query;
  readonly fields?: Body;
  readonly handler: (context: HandlerContext<Static<Query>, Static<Body>>) => MaybePromise<unknown>;
};

/** A procedure whose handler knows the types of its query and body. */
export function defineProcedure<Query extends TObject = TObject, Body extends TObject = TObject>(
  procedure: TypedProcedure<Query, Body>,
): ProcedureDefinition {
  return procedure;
}

export function defineRpcService(definition: Omit<RpcServiceDefinition, 'kind'>): RpcServiceDefinition {
  return { kind: 'rpc', ...definition };
}
