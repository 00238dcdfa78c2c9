import type { NegotiationPolicy } from '../content-negotiation';

/** Policies to remember: what differs from all of them is seldom repeated. */
const MOST = 64;

/**
 * One policy for all operations that negotiate alike, as most operations of most services do: what many requests
 * look at is in the processor's cache.
 */
export class SharedPolicies {
  readonly #known: NegotiationPolicy[] = [];

  /** @returns the first policy that says the same, frozen */
  of(policy: NegotiationPolicy): NegotiationPolicy {
    Object.freeze(policy);
    // Links are an operation's own.
    if (policy.hypermedia !== undefined) return policy;
    const known = this.#known.find((one) => saysTheSame(one, policy));
    if (known === undefined && this.#known.length < MOST) this.#known.push(policy);
    return known ?? policy;
  }
}

type Comparison = (one: NegotiationPolicy, other: NegotiationPolicy) => boolean;

const COMPARISONS: Readonly<Record<keyof NegotiationPolicy, Comparison>> = {
  selector: (one, other) => one.selector === other.selector,
  contentTypes: ({ contentTypes: types }, { contentTypes: others }) =>
    types.length === others.length && types.every((type, at) => type === others[at]),
  bodyLimit: (one, other) => one.bodyLimit === other.bodyLimit,
  uploads: (one, other) => one.uploads === other.uploads,
  hypermedia: (one, other) => one.hypermedia === other.hypermedia,
  template: (one, other) => one.template === other.template,
  cached: (one, other) => one.cached === other.cached,
  formatParameter: (one, other) => one.formatParameter === other.formatParameter,
};

const comparisons = Object.values(COMPARISONS);

function saysTheSame(one: NegotiationPolicy, other: NegotiationPolicy): boolean {
  return comparisons.every((areAlike) => areAlike(one, other));
}
