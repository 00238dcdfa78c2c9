import type { NegotiationPolicy, Selector, Selectors, Uploads } from '../../../content-negotiation';
import type { ServiceDefinition } from '../../definition/definition';

/** What the operations of a service negotiate alike. */
export type ServiceNegotiation = Required<
  Pick<NegotiationPolicy, 'selector' | 'bodyLimit' | 'bodyDepth' | 'bodyMembers' | 'exactNumbers' | 'uploads'>
>;

/** @param defaults those of the platform */
export function serviceNegotiation(
  definition: ServiceDefinition,
  selector: Selector,
  defaults: Selectors,
): ServiceNegotiation {
  return {
    selector,
    bodyLimit: definition.body_limit ?? defaults.bodyLimit,
    bodyDepth: defaults.bodyDepth,
    bodyMembers: defaults.bodyMembers,
    exactNumbers: definition.exact_numbers ?? false,
    uploads: uploadsOf(definition, defaults.uploads),
  };
}

function uploadsOf({ uploads }: ServiceDefinition, defaults: Uploads): Uploads {
  if (uploads === undefined) return defaults;
  return Object.freeze({ ...defaults, limits: Object.freeze({ ...defaults.limits, ...uploads }) });
}

/**
 * Returns the policy of an operation, without spreads: all policies have one shape.
 * @param selector of the operation, if it differs from that of the service
 */
export function negotiationOf(
  { selector: common, bodyLimit, bodyDepth, bodyMembers, exactNumbers, uploads }: ServiceNegotiation,
  selector: Selector | undefined,
  contentTypes: readonly string[],
  hypermedia: NegotiationPolicy['hypermedia'],
): NegotiationPolicy {
  return {
    selector: selector ?? common,
    contentTypes,
    bodyLimit,
    bodyDepth,
    bodyMembers,
    exactNumbers,
    uploads,
    hypermedia,
  };
}
