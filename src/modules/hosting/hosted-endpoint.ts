import type { TObject, TSchema } from '@sinclair/typebox';
import type { Endpoint } from '../../framework';
import type { NegotiationPolicy } from '../content-negotiation';
import type { ValidationPolicy } from '../content-validation';
import type { AccessRule, Guard, OperationPolicy } from '../mvc-auth';
import type { Conditions } from './conditions';
import type { CorsPolicy } from './cors';
import type { Lifecycle } from './lifecycle';
import type { Contact, Visibility } from './definition';
import type { OperationDefinition } from './operation-definition';
import type { ParameterCheck } from './parameter-check';
import type { SharedSchemas } from './shared-schemas';

/** The part of a service that an operation belongs to. */
export type Part = 'collection' | 'entity' | 'rpc';

/** Everything known about one operation of one service of one version of one API; frozen. */
export interface HostedEndpoint extends Endpoint {
  readonly api: string;
  readonly version: number;
  readonly service: string;
  readonly part: Part;
  readonly method: string;
  readonly access: AccessRule;
  /** What decides where the rule names a policy. */
  readonly policy: OperationPolicy | undefined;
  readonly guard: Guard | undefined;
  readonly negotiation: NegotiationPolicy;
  readonly validation: ValidationPolicy;
  /** The schemas that are validated and documented: null where there is none. */
  readonly requestSchema: TSchema | null;
  readonly responseSchema: TSchema | null;
  /** The answer's schema as clients see it: the same, unless its representation adds links. */
  readonly shownSchema: Readonly<Record<string, unknown>> | null;
  readonly querySchema: TObject;
  /** The status of success. */
  readonly status: number;
  /** Seconds that it may take; 0 for no limit. */
  readonly timeout: number;
  /** Which preconditions it looks at (RFC 9110, 13); undefined for none. */
  readonly conditions: Conditions | undefined;
  /** The texts and examples of documentation. */
  readonly definition: OperationDefinition;
}

/** One service of one version of an API, compiled; frozen. */
export interface HostedService {
  readonly api: string;
  readonly version: number;
  readonly name: string;
  readonly kind: 'rest' | 'rpc';
  readonly description: string;
  /** Whom its documentation tells of it. */
  readonly visibility: Visibility;
  /** Without the version's prefix. */
  readonly route: string;
  /** Null for RPC. */
  readonly routeIdentifierName: string | null;
  readonly parameters: Readonly<Record<string, TSchema>>;
  /** Undefined where they may be any text. */
  readonly parameterCheck: ParameterCheck | undefined;
  readonly accept: readonly string[];
  readonly contentTypes: readonly string[];
  /** The entity of a REST service. */
  readonly fields: TSchema | null;
  readonly guard: Guard | undefined;
  /** Operations of the collection, or of the procedure. */
  readonly operations: readonly HostedEndpoint[];
  readonly entityOperations: readonly HostedEndpoint[];
}

/** One version of an API, compiled; frozen. */
export interface HostedVersion {
  readonly version: number;
  /** Undefined for a version that is to stay. */
  readonly lifecycle: Lifecycle | undefined;
  /** The schemas that its operations share. */
  readonly schemas: SharedSchemas;
  readonly services: readonly HostedService[];
}

/** An API, compiled; frozen. */
export interface HostedApi {
  readonly name: string;
  readonly description: string;
  readonly license: { readonly name: string; readonly url?: string } | undefined;
  readonly contact: Contact | undefined;
  /** The path before the version's prefix; empty for none. */
  readonly basePath: string;
  readonly visibility: Visibility;
  readonly defaultVersion: number;
  /** Which scripts of other sites may call it; undefined for none. */
  readonly cors: CorsPolicy | undefined;
  /** Rising. */
  readonly versions: readonly HostedVersion[];
}
