import { ConfigurationError, type Configuration, type MvcEvent, errorMessage } from '../../../framework';
import type { Selectors } from '../../content-negotiation';
import type { Validators } from '../../content-validation';
import type { AccessRule, AccessRules, Guards, Policies } from '../../mvc-auth';
import type { ServiceKinds } from '../definition/service-kind';
import type { DefinitionResolver } from './definition-resolver';
import type { HooksReference } from '../hooks/operation-hooks';
import type { EntityId } from '../definition/entity-id';
import type { ResponseChecks } from '../responses/response-checks';
import type { ResponseMatchers } from '../response-matcher/response-matcher';
import type { RateLimits } from '../rate-limits/rate-limits';
import type { SharedPolicies } from './shared-policies';
import type { GroupedWarnings } from '../grouped-warnings';
import type { SharedSchemas } from '../schema/shared/shared-schemas';

/** The dependencies and settings with which services are compiled. */
export interface CompileContext {
  /** For the places of what it declares, in messages. */
  readonly configuration: Configuration;
  /** The version for requests that name none. */
  readonly defaultVersion: number;
  readonly selectors: Selectors;
  readonly negotiationPolicies: SharedPolicies;
  readonly validators: Validators;
  readonly guards: Guards;
  readonly rules: AccessRules;
  readonly policies: Policies;
  readonly rateLimits: RateLimits;
  /** Default access rule of operations; undefined for none. */
  readonly authorization: AccessRule | undefined;
  readonly resolver: DefinitionResolver;
  /** Converts services of the kinds that modules add. */
  readonly kinds: ServiceKinds;
  /** The schemas shared by the operations of the version. */
  readonly schemas: SharedSchemas;
  readonly checks: ResponseChecks;
  readonly matchers: ResponseMatchers;
  /** Default timeout of operations, in seconds. */
  readonly timeout: number;
  /** Default interval between heartbeats of event streams, in seconds. */
  readonly heartbeat: number;
  /** Those of the API; undefined for none. */
  readonly hooks: HooksReference | undefined;
  /** Whether `currentContext()` is available. */
  readonly contextStorage: boolean;
  /** Gets the warnings about declarations that are valid, but have no effect. */
  readonly warnings: GroupedWarnings;
  /**
   * Returns a function that builds entity paths; undefined if no URL can name them.
   * @param identifier route parameters that identify an entity
   */
  readonly locate: (
    api: string,
    route: string,
    event: MvcEvent,
    identifier: string | readonly string[],
  ) => ((id: EntityId) => string) | undefined;
}

/** Runs a function that compiles a schema. @throws ConfigurationError that names the schema's location */
export function compileOrThrow<T>(compile: () => T, where: string): T {
  try {
    return compile();
  } catch (error) {
    throw new ConfigurationError(`${where}: invalid schema: ${errorMessage(error)}`, { cause: error });
  }
}
