/** What is known of a service before it is made: the value itself, or one that stands for those of its class. */
export type ServiceSample = { readonly sample: unknown } | undefined;

/**
 * A binding that tells what it is bound to, where that is known without making it: a constant value, or a class, for
 * whose objects its prototype stands. What a factory makes is not known.
 *
 * @param self the class that `toSelf` binds to
 * @param told is called with what it is bound to
 */
export function observeBinding<T extends object>(
  binding: T,
  self: unknown,
  told: (bound: ServiceSample) => void,
): T {
  return new Proxy(binding, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...given: unknown[]): unknown => {
        if (key === 'toConstantValue') told({ sample: given[0] });
        if (key === 'to') told(sampleOf(given[0]));
        if (key === 'toSelf') told(sampleOf(self));
        return Reflect.apply(member, target, given);
      };
    },
  });
}

function sampleOf(type: unknown): ServiceSample {
  return typeof type === 'function' ? { sample: type.prototype as unknown } : undefined;
}
