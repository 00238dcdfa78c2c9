import { isThenable } from '../events/maybe-promise';

/** A service as far as it is known before it is created: the value, or the prototype of its class. */
export type ServiceSample = { readonly sample: unknown; readonly isConstant: boolean } | undefined;

/**
 * Reports what a binding is bound to, if that is known without creating the service: a constant value, or the
 * prototype of a class. The result of a factory is unknown.
 *
 * @param self the class that `toSelf` binds to
 */
export function observeBinding<T extends object>(
  binding: T,
  self: unknown,
  onBound: (bound: ServiceSample) => void,
): T {
  return new Proxy(binding, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (key === 'toConstantValue') onBound({ sample: args[0], isConstant: true });
        if (key === 'to') onBound(sampleOf(args[0]));
        if (key === 'toSelf') onBound(sampleOf(self));
        const given = key === 'onDeactivation' ? args.map(withoutResult) : args;
        const next: unknown = Reflect.apply(member, target, given);
        return typeof next === 'object' && next !== null ? observeBinding(next, self, onBound) : next;
      };
    },
  });
}

/** The container takes any result of a deactivation for a promise, such as a client that its `close()` returns. */
function withoutResult(deactivation: unknown): unknown {
  if (typeof deactivation !== 'function') return deactivation;
  return (service: unknown): unknown => {
    const result: unknown = Reflect.apply(deactivation, undefined, [service]);
    return isThenable(result) ? Promise.resolve(result).then(() => undefined) : undefined;
  };
}

function sampleOf(type: unknown): ServiceSample {
  return typeof type === 'function' ? { sample: type.prototype as unknown, isConstant: false } : undefined;
}
