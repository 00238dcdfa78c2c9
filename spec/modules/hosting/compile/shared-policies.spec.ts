import fc from 'fast-check';
import type { NegotiationPolicy } from '../../../../src/modules/content-negotiation';
import { Selector } from '../../../../src/modules/content-negotiation/selector';
import { SharedPolicies } from '../../../../src/modules/hosting/compile/shared-policies';

const selectors = [new Selector([]), new Selector([])] as const;

const policies = fc.record(
  {
    selector: fc.constantFrom(...selectors),
    contentTypes: fc.subarray(['application/json', 'text/plain']),
    bodyLimit: fc.constantFrom(1, 2),
    template: fc.constantFrom('a', 'b'),
    cached: fc.boolean(),
    formatParameter: fc.constantFrom('format', 'as'),
  },
  { requiredKeys: ['selector', 'contentTypes', 'bodyLimit'] },
);

describe('negotiation policies that operations share', () => {
  it('name the resource in their messages', () => {
    const shared = new SharedPolicies();
    fc.assert(
      fc.property(policies, (policy: NegotiationPolicy) => {
        const found = shared.of({ ...policy });
        expect(found).toEqual(policy);
        expect(found.selector).toBe(policy.selector);
        expect(Object.isFrozen(found)).toBe(true);
      }),
    );
  });

  it('are one object when two are equal', () => {
    const shared = new SharedPolicies();
    const [selector] = selectors;
    const policy = { selector, contentTypes: [], bodyLimit: 3 };
    expect(shared.of({ ...policy })).toBe(shared.of({ ...policy, contentTypes: [] }));
    expect(shared.of({ ...policy })).not.toBe(shared.of({ ...policy, bodyLimit: 4 }));
  });

  it('are not shared when they contain links of one operation', () => {
    const shared = new SharedPolicies();
    const [selector] = selectors;
    const policy = { selector, contentTypes: [], bodyLimit: 3, hypermedia: () => undefined };
    expect(shared.of({ ...policy })).not.toBe(shared.of({ ...policy }));
  });
});
