import { isThenable } from '../events/maybe-promise';

/** A service as far as it is known before it is created: the value, or the prototype of its class. */
export type ServiceSample = { readonly sample: unknown; readonly isConstant: boolean } | undefined;

/**
 * Reports what a binding is bound to, if that is known without creating the service: a constant value, or the
 * prototype of a class. The result of a factory is unknown.
 *
 * @param self the class that `toSelf` binds to
 * @param onError receives the error of its deactivation
 */
export function observeBinding<T extends object>(
  binding: T,
  self: unknown,
  onBound: (bound: ServiceSample) => void,
  onError: (error: unknown) => void,
): T {
  return new Proxy(binding, {
    get: (target, key) => {
      const member: unknown = Reflect.get(target, key, target);
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (key === 'toConstantValue') onBound({ sample: args[0], isConstant: true });
        if (key === 'to') onBound(sampleOf(args[0]));
        if (key === 'toSelf') onBound(sampleOf(self));
        const given = key === 'onDeactivation' ? args.map((one) => deactivateOnce(one, onError)) : args;
        const next: unknown = Reflect.apply(member, target, given);
        return typeof next === 'object' && next !== null
          ? observeBinding(next, self, onBound, onError)
          : next;
      };
    },
  });
}

/**
 * The container takes any result of a deactivation for a promise, such as a client that its `close()` returns, and an error
 * would end the deactivation of all services. After other errors, it deactivates a service a second time.
 */
function deactivateOnce(deactivation: unknown, onError: (error: unknown) => void): unknown {
  if (typeof deactivation !== 'function') return deactivation;
  const deactivate = (service: unknown): Promise<void> | undefined => {
    try {
      const result: unknown = Reflect.apply(deactivation, undefined, [service]);
      return isThenable(result) ? Promise.resolve(result).then(() => undefined, onError) : undefined;
    } catch (error) {
      onError(error);
      return undefined;
    }
  };
  let ended: { readonly result: Promise<void> | undefined } | undefined;
  return (service: unknown) => (ended ??= { result: deactivate(service) }).result;
}

function sampleOf(type: unknown): ServiceSample {
  return typeof type === 'function' ? { sample: type.prototype as unknown, isConstant: false } : undefined;
}
