import type { MvcEvent } from '../../framework';
import type { Selectors } from '../content-negotiation';
import type { Validators } from '../content-validation';
import type { AccessRule, AccessRules, Guards, Policies } from '../mvc-auth';
import type { References } from './references';
import type { ResponseChecks } from './response-checks';
import type { SharedPolicies } from './shared-policies';
import type { SharedSchemas } from './shared-schemas';

/** What services are compiled with. */
export interface Tools {
  /** The version of requests that name none. */
  readonly defaultVersion: number;
  readonly selectors: Selectors;
  readonly negotiations: SharedPolicies;
  readonly validators: Validators;
  readonly guards: Guards;
  readonly rules: AccessRules;
  readonly policies: Policies;
  /** Who may call operations, unless they or their service say otherwise; undefined where nothing is said. */
  readonly authorization: AccessRule | undefined;
  readonly references: References;
  /** The schemas that the operations of the version share. */
  readonly schemas: SharedSchemas;
  readonly checks: ResponseChecks;
  /** Seconds that operations may take, unless they say otherwise. */
  readonly timeout: number;
  /** Seconds between the signs of life of event streams, unless they say otherwise. */
  readonly heartbeat: number;
  /** Whether `currentContext()` knows the request that is at work. */
  readonly contextStorage: boolean;
  /** The paths of entities of a service, by what identifies them: a parameter of its route. */
  readonly locate: (
    api: string,
    route: string,
    event: MvcEvent,
    identifier: string,
  ) => (id: string) => string;
}
