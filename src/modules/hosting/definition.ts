import type { TSchema } from '@sinclair/typebox';
import type { Newable } from 'inversify';
import type { UploadLimits } from '../content-negotiation';
import type { AccessRule } from '../mvc-auth';
import type { CorsDefinition } from './cors';
import type { LifecycleDefinition } from './lifecycle';
import type {
  CollectionMethod,
  CollectionOperationDefinition,
  EntityMethod,
  ObjectSchema,
  OperationDefinition,
  ProcedureDefinition,
  ValidatorReference,
} from './operation-definition';
import type { AnyResource } from './resource';

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
  /** Whom those ask who use it. */
  readonly contact?: Contact;
  /** A path before the version's prefix, e.g. `/shop` for `/shop/v1/products`; empty unless told. */
  readonly base_path?: string;
  /** `authenticated`: the documentation tells guests nothing of the API. `public` unless told. */
  readonly visibility?: Visibility;
  /** The version of requests that name none; the highest, unless told. */
  readonly default_version?: number;
  /** Who may call its operations, unless a service or an operation says otherwise; `guest` unless told. */
  readonly authorization?: AccessRule;
  /** Which scripts of other sites may call it from a browser; none, unless told. */
  readonly cors?: CorsDefinition;
  /** Seconds that each of its operations may take; 0 for no limit. */
  readonly timeout?: number;
  /** Seconds between the signs of life of its event streams; 0 for none. */
  readonly heartbeat?: number;
  readonly versions: Readonly<Record<number, VersionDefinition>>;
}

/** A person or a place to turn to. */
export interface Contact {
  readonly name?: string;
  readonly url?: string;
  readonly email?: string;
}

/** Whom the documentation tells of something. */
export type Visibility = 'public' | 'authenticated';

/** One version of an API. */
export interface VersionDefinition extends LifecycleDefinition {
  /** The version whose services it has, but for what it says itself. */
  readonly inherits?: number;
  /**
   * Schemas that its operations share, by the names that documentation gives them: any schema of its services may refer
   * to one as `#/schemas/<name>`. Those of a version that is inherited are there, too; null takes away.
   */
  readonly schemas?: Readonly<Record<string, TSchema | null>>;
  /**
   * Services by name. One that is inherited may be changed: what is said replaces what was, key by key, and among
   * operations method by method; null takes away.
   */
  readonly services?: Readonly<Record<string, ServiceDefinition | ServiceChange | null>>;
}

/** An API with all that its versions inherit. */
export interface ResolvedApi extends ApiDefinition {
  readonly versions: Readonly<Record<number, ResolvedVersion>>;
}

interface ResolvedVersion extends VersionDefinition {
  readonly schemas?: Readonly<Record<string, TSchema>>;
  readonly services: Readonly<Record<string, ServiceDefinition>>;
}

/** What a version changes of a service that it inherits. */
export type ServiceChange =
  | (Partial<Nullable<Omit<RestServiceDefinition, 'kind' | 'collection' | 'entity'>>> & {
      readonly kind?: 'rest';
      readonly collection?: Partial<Readonly<Record<CollectionMethod, CollectionOperationDefinition | null>>>;
      readonly entity?: Partial<Readonly<Record<EntityMethod, OperationDefinition | null>>>;
    })
  | (Partial<Nullable<Omit<RpcServiceDefinition, 'kind' | 'methods'>>> & {
      readonly kind: 'rpc';
      readonly methods?: Readonly<Record<string, ProcedureDefinition | null>>;
    });

type Nullable<T> = { readonly [Key in keyof T]: T[Key] | null };

/** What REST and RPC services have in common. */
interface CommonDefinition {
  readonly description?: string;
  /** `authenticated`: the documentation tells guests nothing of the service. `public` unless told. */
  readonly visibility?: Visibility;
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
  /** Query parameters that are not declared: refused with 400 unless told to ignore them. */
  readonly unknown_query?: 'refuse' | 'ignore';
  /** Members of bodies that the schema does not name: what it says of them itself, unless told. */
  readonly unknown_members?: 'refuse' | 'drop';
  /** What checks bodies beyond the schema: functions, or their names in the container. */
  readonly validators?: readonly ValidatorReference[];
  /** Seconds that each of its operations may take; 0 for no limit. */
  readonly timeout?: number;
  /** Seconds between the signs of life of its event streams; 0 for none. */
  readonly heartbeat?: number;
  /** Bytes that a request body may have. */
  readonly body_limit?: number;
  /** What forms with files may have, where `multipart/form-data` is taken; what differs from the configured limits. */
  readonly uploads?: Partial<UploadLimits>;
  /** Who may call it, unless an operation says otherwise; as the API has it, unless told. */
  readonly authorization?: AccessRule;
}

/** A REST service: collection and entity operations over one route. */
export interface RestServiceDefinition extends CommonDefinition {
  readonly kind?: 'rest';
  /** The parameter of the route that carries the identifier. */
  readonly route_identifier_name: string;
  /** The member of an entity that holds the identifier; the same name, unless told. */
  readonly entity_identifier_name?: string;
  /** The entity. */
  readonly fields: ObjectSchema;
  /** What is sent to create or replace an entity; the entity's fields, unless told. */
  readonly input?: ObjectSchema;
  /** The member of a collection's JSON that holds the entities; `items` unless told. */
  readonly collection_name?: string;
  /** Entities on a page; the collection is not paged when it is not said. */
  readonly page_size?: number;
  /** The most that a client may ask for; 100 unless told. */
  readonly max_page_size?: number;
  /**
   * What the resource needs to know to go on after a page: with it, the collection is walked through by cursors
   * (`CursorPage`), which stay right while entities come and go.
   */
  readonly cursor?: TSchema;
  readonly collection?: Partial<Readonly<Record<CollectionMethod, CollectionOperationDefinition>>>;
  readonly entity?: Partial<Readonly<Record<EntityMethod, OperationDefinition>>>;
  /** The resource, its class in the container, or its name there. */
  readonly resource: ResourceReference;
}

export type ResourceReference = AnyResource | Newable<AnyResource> | string;

/** An RPC service: one route, a procedure for each method. */
export interface RpcServiceDefinition extends CommonDefinition {
  readonly kind: 'rpc';
  readonly methods: Readonly<Record<string, ProcedureDefinition>>;
}

export type ServiceDefinition = RestServiceDefinition | RpcServiceDefinition;
