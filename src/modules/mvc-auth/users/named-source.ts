import { ConfigurationError, isThenable, Problem, type Services, errorMessage } from '../../../framework';
import { AuthConfigurationError, withAdapterName } from '../http-adapter/auth-configuration-error';
import { AuthenticationUnavailable } from '../http/authentication-unavailable';
import type { DigestSource, GroupSource, PasswordSource } from '../http/credential-source';
import { DIGEST_ALGORITHMS, type DigestAlgorithm } from '../http/digest/digest-algorithm';
import { HashingAbortedError, HashingOverloadError } from '../passwords/hashing-queue';

/** Seconds. */
const RETRY_AFTER = 2;

/** The users of an adapter, known to a service of a module. */
export interface NamedSource {
  readonly passwords: PasswordSource;
  readonly digests: DigestSource;
  /** Undefined if the service has no groups. */
  readonly groups: GroupSource | undefined;
}

type Service = Partial<PasswordSource & DigestSource & GroupSource>;

/**
 * Returns the service that the option `source` names. It implements `PasswordSource` for Basic, `DigestSource` for
 * Digest, and `GroupSource` if it has groups. An error that it throws means that it cannot decide now: 503.
 *
 * @throws AuthConfigurationError if no module binds it, or it does not implement what the schemes need
 */
export async function namedSource(
  adapter: string,
  name: string,
  schemes: readonly ('basic' | 'digest')[],
  context: { readonly services?: Services | undefined; readonly warn: (message: string) => void },
): Promise<NamedSource> {
  const service = await find(adapter, name, context.services);
  const lacks = [
    ...(schemes.includes('basic') && typeof service.verify !== 'function' ? ['verify() for Basic'] : []),
    ...(schemes.includes('digest') && typeof service.secretOf !== 'function'
      ? ['secretOf() for Digest']
      : []),
    ...(schemes.includes('digest') && !hasAlgorithms(service)
      ? [`algorithms for Digest, a list of ${DIGEST_ALGORITHMS.join(', ')}`]
      : []),
  ];
  if (lacks.length > 0) {
    throw new AuthConfigurationError(
      adapter,
      `source: the service "${name}" does not implement ${lacks.join(', ')}; see PasswordSource and DigestSource of apidesc-platform`,
    );
  }
  // Checked above; the members that a scheme does not need are never called.
  return guarded(
    adapter,
    name,
    service as PasswordSource & DigestSource & Partial<GroupSource>,
    context.warn,
  );
}

async function find(adapter: string, name: string, services: Services | undefined): Promise<Service> {
  try {
    // Factories of adapters are objects, too.
    const isSource = (service: unknown): service is Service =>
      typeof service === 'object' && service !== null && !('settings' in service);
    if (services === undefined) throw new ConfigurationError(`no module binds the service "${name}".`);
    return await services.getNamed(name, isSource, 'a source of users', 'source');
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    throw new AuthConfigurationError(adapter, error.message, { cause: error });
  }
}

function hasAlgorithms({ algorithms }: Service): boolean {
  const known: readonly string[] = DIGEST_ALGORITHMS;
  return (
    Array.isArray(algorithms) &&
    algorithms.length > 0 &&
    algorithms.every((one: string) => known.includes(one))
  );
}

/** Converts the errors of a source. */
function guarded(
  adapter: string,
  name: string,
  service: PasswordSource & DigestSource & Partial<GroupSource>,
  warn: (message: string) => void,
): NamedSource {
  let isDown = false;
  const up = <T>(result: T): T => {
    if (isDown) warn(withAdapterName(adapter, `the source "${name}" is available again`));
    isDown = false;
    return result;
  };
  const down = (error: unknown): never => {
    if (isDecision(error)) throw error;
    const message = `the source "${name}" failed (${errorMessage(error)})`;
    if (!isDown)
      warn(withAdapterName(adapter, `${message}; requests with credentials receive 503 until it succeeds`));
    isDown = true;
    throw new AuthenticationUnavailable(message, RETRY_AFTER, { cause: error });
  };
  const call = <T>(ask: () => T | Promise<T>): T | Promise<T> => {
    try {
      const result = ask();
      return isThenable(result) ? Promise.resolve(result).then(up<T>, down) : up(result);
    } catch (error) {
      return down(error);
    }
  };
  // Whether these exist is part of their meaning.
  return {
    passwords: {
      verify: (...given) => call(() => service.verify(...given)),
      ...(service.recall && { recall: (field: string) => service.recall?.(field) }),
    },
    digests: {
      get algorithms() {
        return service.algorithms;
      },
      secretOf: (...given) => call(() => service.secretOf(...given)),
      ...(service.usernameOf && {
        usernameOf: (userhash: string, algorithm: DigestAlgorithm) =>
          service.usernameOf?.(userhash, algorithm),
      }),
    },
    groups: service.groupsOf && { groupsOf: (username) => call(() => service.groupsOf?.(username) ?? []) },
  };
}

/** Whether an error says by itself how to respond. */
function isDecision(error: unknown): boolean {
  return (
    error instanceof Problem ||
    error instanceof AuthenticationUnavailable ||
    error instanceof HashingOverloadError ||
    error instanceof HashingAbortedError
  );
}
