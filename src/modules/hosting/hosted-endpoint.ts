import type { TObject, TSchema } from '@sinclair/typebox';
import type { Endpoint } from '../../framework';
import type { NegotiationPolicy } from '../content-negotiation';
import type { ValidationPolicy } from '../content-validation';
import type { AccessRule, Guard, OperationPolicy } from '../mvc-auth';
import type { ConditionalSupport } from './conditional/conditional-support';
import type { CorsPolicy } from './cors/cors';
import type { Lifecycle } from './versions/lifecycle';
import type { Release } from './versions/release';
import type { Contact, Visibility } from './definition/definition';
import type { OperationDefinition } from './definition/operation-definition';
import type { ServicePart } from './definition/service-part';
import type { ParameterCheck } from './compile/parameter-check';
import type { OperationLimits } from './rate-limits/rate-limits';
import type { Paging } from './rest/paging';
import type { SharedSchemas } from './schema/shared/shared-schemas';

/** A compiled operation of a service; frozen. */
export interface HostedEndpoint extends Endpoint {
  readonly api: string;
  readonly version: number;
  readonly service: string;
  readonly part: ServicePart;
  readonly method: string;
  readonly access: AccessRule;
  /** The custom policy that the access rule names. */
  readonly policy: OperationPolicy | undefined;
  readonly guard: Guard | undefined;
  /** Undefined for none. */
  readonly rateLimits: OperationLimits | undefined;
  readonly negotiation: NegotiationPolicy;
  readonly validation: ValidationPolicy;
  /** The validated and documented schemas: null for no body. */
  readonly requestSchema: TSchema | null;
  readonly responseSchema: TSchema | null;
  /** The schema of a streamed item, of an operation that responds with pages as well; otherwise undefined. */
  readonly itemSchema: TSchema | undefined;
  /** Schemas of success statuses that differ from `responseSchema`, as clients see them. */
  readonly schemasByStatus: ReadonlyMap<number, Readonly<Record<string, unknown>>>;
  /** The response schema as clients see it: includes links if the response format adds them. */
  readonly representationSchema: Readonly<Record<string, unknown>> | null;
  readonly querySchema: TObject;
  /** The pages of the list with which it responds; undefined for none. */
  readonly paging: Paging | undefined;
  /** The status code of success. */
  readonly status: number;
  /** Timeout in seconds; 0 for no limit. */
  readonly timeout: number;
  /** The preconditions that it evaluates (RFC 9110, 13); undefined for none. */
  readonly conditional: ConditionalSupport | undefined;
  /** The definition, with the descriptions and examples for the documentation. */
  readonly definition: OperationDefinition;
}

/** A compiled service of one version of an API; frozen. */
export interface HostedService {
  readonly api: string;
  readonly version: number;
  readonly name: string;
  readonly kind: 'rest' | 'rpc';
  readonly description: string;
  /** Empty where none are declared. */
  readonly tags: readonly string[];
  /** Who can see its documentation. */
  readonly visibility: Visibility;
  /** Without the version prefix. */
  readonly route: string;
  /** The route parameter that only paths of entities have: the last one of several identifiers. Null for RPC. */
  readonly routeIdentifierName: string | null;
  /** All route parameters that identify an entity; empty for RPC. */
  readonly routeIdentifierNames: readonly string[];
  /** The members of an entity that have the values of these parameters, in their order. */
  readonly identifierMembers: readonly string[];
  readonly parameters: Readonly<Record<string, TSchema>>;
  /** Undefined if every parameter accepts any text. */
  readonly parameterCheck: ParameterCheck | undefined;
  readonly accept: readonly string[];
  readonly contentTypes: readonly string[];
  /** The entity schema of a REST service; null for RPC. */
  readonly fields: TSchema | null;
  /** Of its bodies and entities, as they are declared: in those of requests and responses, shared ones may be rewritten. */
  readonly declaredSchemas: readonly TSchema[];
  readonly guard: Guard | undefined;
  /** Operations of the collection, or RPC methods. */
  readonly operations: readonly HostedEndpoint[];
  readonly entityOperations: readonly HostedEndpoint[];
}

/** A compiled version of an API; frozen. */
export interface HostedVersion {
  readonly version: number;
  /** Undefined for a version that is not deprecated. */
  readonly lifecycle: Lifecycle | undefined;
  readonly release: Release;
  /** The schemas shared by its operations. */
  readonly schemas: SharedSchemas;
  readonly services: readonly HostedService[];
}

/** A compiled API; frozen. */
export interface HostedApi {
  readonly name: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly url?: string } | undefined;
  readonly contact: Contact | undefined;
  /** The path before the version prefix; empty for none. */
  readonly basePath: string;
  readonly visibility: Visibility;
  /** Whether its services are compiled when they are first read. */
  readonly isDeferred: boolean;
  readonly defaultVersion: number;
  /** The CORS policy; undefined for same-origin only. */
  readonly cors: CorsPolicy | undefined;
  /** In ascending order. */
  readonly versions: readonly HostedVersion[];
}
