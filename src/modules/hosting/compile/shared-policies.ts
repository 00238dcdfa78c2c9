import type { NegotiationPolicy } from '../../content-negotiation';

/** Policies to keep. Policies beyond that are seldom repeated. */
const MAX_ENTRIES = 64;

/**
 * Shares one policy object among operations that negotiate alike, which is most of them: hot data stays in the
 * processor's cache.
 */
export class SharedPolicies {
  readonly #known: NegotiationPolicy[] = [];

  /** @returns the first equal policy, frozen */
  of(policy: NegotiationPolicy): NegotiationPolicy {
    Object.freeze(policy);
    // Hypermedia functions are never shared.
    if (policy.hypermedia !== undefined) return policy;
    const known = this.#known.find((one) => isEqual(one, policy));
    if (known === undefined && this.#known.length < MAX_ENTRIES) this.#known.push(policy);
    return known ?? policy;
  }
}

type Comparison = (one: NegotiationPolicy, other: NegotiationPolicy) => boolean;

const COMPARISONS: Readonly<Record<keyof NegotiationPolicy, Comparison>> = {
  selector: (one, other) => one.selector === other.selector,
  contentTypes: ({ contentTypes: types }, { contentTypes: others }) =>
    types.length === others.length && types.every((type, at) => type === others[at]),
  bodyLimit: (one, other) => one.bodyLimit === other.bodyLimit,
  bodyDepth: (one, other) => one.bodyDepth === other.bodyDepth,
  bodyMembers: (one, other) => one.bodyMembers === other.bodyMembers,
  exactNumbers: (one, other) => one.exactNumbers === other.exactNumbers,
  uploads: (one, other) => one.uploads === other.uploads,
  hypermedia: (one, other) => one.hypermedia === other.hypermedia,
  template: (one, other) => one.template === other.template,
  cached: (one, other) => one.cached === other.cached,
  formatParameter: (one, other) => one.formatParameter === other.formatParameter,
};

const comparisons = Object.values(COMPARISONS);

function isEqual(one: NegotiationPolicy, other: NegotiationPolicy): boolean {
  return comparisons.every((matches) => matches(one, other));
}
