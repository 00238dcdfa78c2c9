import type { TSchema } from '@sinclair/typebox';
import type { Newable } from 'inversify';
import type { UploadLimits } from '../../content-negotiation';
import type { SentBodyCheck } from '../../content-validation';
import type { AccessRule } from '../../mvc-auth';
import type { CorsDefinition } from '../cors/cors';
import type { LifecycleDefinition } from '../versions/lifecycle';
import type { ReleaseDefinition } from '../versions/release';
import type {
  CollectionMethod,
  CollectionOperationDefinition,
  EntityMethod,
  ObjectSchema,
  OperationDefinition,
  ProcedureDefinition,
  ValidatorReference,
} from './operation-definition';
import type { UnknownResponseMembers } from '../members/response-filter';
import type { HooksReference } from '../hooks/operation-hooks';
import type { AnyResource } from './resource';

/**
 * The declaration of an API, from which routing, validation, authorization, documentation and types derive. It is
 * plain data except for handlers, and has the same keys in TypeScript and in configuration
 * (`platform-hosting.apis.<Api>`).
 */
export interface ApiDefinition {
  /** Letters, digits, `_` and `.`; begins with a letter. */
  readonly name: string;
  readonly description?: string;
  readonly license?: { readonly name: string; readonly url?: string };
  /** Contact for users of the API. */
  readonly contact?: Contact;
  /** A path before the version prefix, e.g. `/shop` for `/shop/v1/products`; defaults to none. */
  readonly base_path?: string;
  /** `authenticated`: the documentation hides the API from guests. Defaults to `public`. */
  readonly visibility?: Visibility;
  /** The version for requests that name none; defaults to the highest. */
  readonly default_version?: number;
  /** Access rule of its operations, unless a service or an operation has its own; defaults to `guest`. */
  readonly authorization?: AccessRule;
  /** Cross-origin access from browsers; defaults to none. */
  readonly cors?: CorsDefinition;
  /** Seconds that each of its operations may take; 0 for no limit. */
  readonly timeout?: number;
  /** Seconds between heartbeats of its event streams; 0 for none. */
  readonly heartbeat?: number;
  /** Code around each of its operations, or its container name. */
  readonly hooks?: HooksReference;
  readonly versions: Readonly<Record<number, VersionDefinition>>;
}

/** Contact information. */
export interface Contact {
  readonly name?: string;
  readonly url?: string;
  readonly email?: string;
}

/** Who can see documentation. */
export type Visibility = 'public' | 'authenticated';

/** How `readOnly` members sent by a client are treated. */
export type ReadOnlyMembers = 'refuse' | 'ignore';

/** One version of an API. */
export interface VersionDefinition extends LifecycleDefinition, ReleaseDefinition {
  /** The version whose services and schemas it inherits. */
  readonly inherits?: number;
  /**
   * Shared schemas by name; any schema of the version's services may reference `#/schemas/<name>`. Those of an
   * inherited version are included; null removes one.
   */
  readonly schemas?: Readonly<Record<string, TSchema | null>>;
  /**
   * Services by name. A service that is also inherited is merged over the inherited one, key by key, and operations
   * method by method; null removes.
   */
  readonly services?: Readonly<Record<string, ServiceDefinition | CustomService | ServiceChange | null>>;
}

/** An API whose versions include what they inherit. */
export interface ResolvedApi extends ApiDefinition {
  readonly versions: Readonly<Record<number, ResolvedVersion>>;
}

interface ResolvedVersion extends VersionDefinition {
  readonly schemas?: Readonly<Record<string, TSchema>>;
  readonly services: Readonly<Record<string, ServiceDefinition | CustomService>>;
}

/** Changes to an inherited service. */
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
  /** Tags of its operations in OpenAPI documents; defaults to the name of the service. */
  readonly tags?: readonly string[];
  /** `authenticated`: the documentation hides the service from guests. Defaults to `public`. */
  readonly visibility?: Visibility;
  /** Without the version prefix, e.g. `/atlas/countries[/:country_code]`. */
  readonly route: string;
  /** Descriptions and schemas of the route parameters. */
  readonly parameters?: Readonly<Record<string, TSchema>>;
  /** Response media types; defaults to JSON, and JSON under the vendor type of the API. */
  readonly accept?: readonly string[];
  /** Request media types; defaults to the JSON types among `accept`. */
  readonly content_type?: readonly string[];
  /** The selector of view models; defaults to `Json`. */
  readonly selector?: string;
  /** Undeclared query parameters: `refuse` (400) or `ignore`; defaults to `refuse`. */
  readonly unknown_query?: 'refuse' | 'ignore';
  /** Undeclared members of bodies: `refuse` (422) or `drop`; defaults to what the schema says. */
  readonly unknown_members?: 'refuse' | 'drop';
  /** `readOnly` members of bodies: `refuse` (422) or `ignore`; defaults to `ignore`. */
  readonly read_only_members?: ReadOnlyMembers;
  /**
   * Whether a number of a body that has more digits than a double is 422, instead of being rounded; defaults to
   * false, and to true for services over databases.
   */
  readonly exact_numbers?: boolean;
  /**
   * Undeclared members of responses: `drop` (and log once in development), `keep`, or `refuse` (500); defaults to
   * `drop`.
   */
  readonly unknown_response_members?: UnknownResponseMembers;
  /** Custom validators of bodies: functions, or their container names. */
  readonly validators?: readonly ValidatorReference[];
  /** Seconds that each of its operations may take; 0 for no limit. */
  readonly timeout?: number;
  /** Seconds between heartbeats of its event streams; 0 for none. */
  readonly heartbeat?: number;
  /** Maximum size of a request body in bytes. */
  readonly body_limit?: number;
  /** Limits for `multipart/form-data`, merged over the configured ones. */
  readonly uploads?: Partial<UploadLimits>;
  /** Access rule of its operations, unless one has its own; defaults to that of the API. */
  readonly authorization?: AccessRule;
  /** Code around each of its operations, or its container name. */
  readonly hooks?: HooksReference;
}

/** A REST service: collection and entity operations over one route. */
export interface RestServiceDefinition extends CommonDefinition {
  readonly kind?: 'rest';
  /** The route parameter that holds the identifier, or several that identify an entity together. */
  readonly route_identifier_name: string | readonly string[];
  /** The member of an entity that holds the identifier, or as many as parameters; defaults to `route_identifier_name`. */
  readonly entity_identifier_name?: string | readonly string[];
  /** The schema of an entity. */
  readonly fields: ObjectSchema;
  /** The schema to create or replace an entity; defaults to `fields`. */
  readonly input?: ObjectSchema;
  /** Returns the errors of a body as it was sent, before `readOnly` members are removed; set by kinds of services. */
  readonly sent_body_check?: SentBodyCheck | undefined;
  /** The member of a page that holds the entities; defaults to `items`. */
  readonly collection_name?: string;
  /** Entities per page; without it, the collection is not paged. */
  readonly page_size?: number;
  /** Maximum page size that a client may request; defaults to 100. */
  readonly max_page_size?: number;
  /** Maximum number of entities in a list that a client sends; defaults to what `body_limit` allows. */
  readonly max_items?: number;
  /**
   * The schema of the resource's cursor value: enables cursor pagination (`CursorPage`), which stays consistent
   * while entities are added and removed.
   */
  readonly cursor?: TSchema;
  readonly collection?: Partial<Readonly<Record<CollectionMethod, CollectionOperationDefinition>>>;
  readonly entity?: Partial<Readonly<Record<EntityMethod, OperationDefinition>>>;
  /** The resource, its class, or its container name. */
  readonly resource: ResourceReference;
}

export type ResourceReference = AnyResource | Newable<AnyResource> | string;

/** An RPC service: one route with a procedure per method. */
export interface RpcServiceDefinition extends CommonDefinition {
  readonly kind: 'rpc';
  readonly methods: Readonly<Record<string, ProcedureDefinition>>;
}

/** A REST or RPC service. */
export type ServiceDefinition = RestServiceDefinition | RpcServiceDefinition;

/**
 * Declarations of the kinds of services that modules add, by kind. Modules add members by declaration merging.
 */
// eslint-disable-next-line @typescript-eslint/no-empty-object-type -- modules add its members by declaration merging, which only interfaces have
export interface CustomServices {}

/** A declaration of an added kind; its module converts it into a REST or RPC service. */
export type CustomService = CustomServices[keyof CustomServices];

/** Identifies a service. */
export interface ServiceReference {
  readonly api: string;
  readonly version: number;
  readonly service: string;
}
