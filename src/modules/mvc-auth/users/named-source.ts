import { ConfigurationError, isThenable, Problem, type Services, errorMessage } from '../../../framework';
import { AuthConfigurationError, withAdapterName } from '../http-adapter/auth-configuration-error';
import { AuthenticationUnavailable } from '../http/authentication-unavailable';
import type { DigestSource, GroupSource, PasswordSource } from '../http/credential-source';
import {
  DIGEST_ALGORITHMS,
  digestDigits,
  readDigestSecret,
  type DigestAlgorithm,
} from '../http/digest/digest-algorithm';
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
  const up = (): void => {
    if (isDown) warn(withAdapterName(adapter, `the source "${name}" is available again`));
    isDown = false;
  };
  const down = (error: unknown): never => {
    if (isDecision(error)) throw error;
    const message = `the source "${name}" failed (${errorMessage(error)})`;
    if (!isDown)
      warn(withAdapterName(adapter, `${message}; requests with credentials receive 503 until it succeeds`));
    isDown = true;
    throw new AuthenticationUnavailable(message, RETRY_AFTER, { cause: error });
  };
  const attempt = <T>(ask: () => T): T => {
    try {
      return ask();
    } catch (error) {
      return down(error);
    }
  };
  /** @param read converts what plain JavaScript may return, such as undefined or null for an unknown user */
  const call = <T, Result>(
    ask: () => T | Promise<T>,
    read: (result: T) => Result,
  ): Result | Promise<Result> => {
    const settle = (result: T): Result => {
      up();
      return read(result);
    };
    const result = attempt(ask);
    return isThenable(result) ? Promise.resolve(result).then(settle, down) : settle(result);
  };
  let hasWarned = false;
  const secretIn = (answer: unknown, algorithm: DigestAlgorithm): string | undefined => {
    // Anyone could compute the digests of an empty secret.
    if (answer === undefined || answer === null || answer === '') return undefined;
    const secret = typeof answer === 'string' ? readDigestSecret(answer, algorithm) : undefined;
    if (secret === undefined && !hasWarned) {
      hasWarned = true;
      const found = `something other than ${digestDigits(algorithm)} hexadecimal digits for ${algorithm}`;
      warn(
        withAdapterName(
          adapter,
          `secretOf() of the source "${name}" returned ${found}; its users cannot sign in with Digest`,
        ),
      );
    }
    return secret;
  };
  // Whether these exist is part of their meaning.
  return {
    passwords: {
      verify: (...given) =>
        call(
          () => service.verify(...given),
          (isCorrect) => decisionOf(isCorrect, name),
        ),
      ...(service.recall && {
        recall: (field: string) => attempt(() => service.recall?.(field)) ?? undefined,
      }),
    },
    digests: {
      get algorithms() {
        return service.algorithms;
      },
      secretOf: (username, algorithm, client) =>
        call(
          () => service.secretOf(username, algorithm, client),
          (secret) => secretIn(secret, algorithm),
        ),
      ...(service.usernameOf && {
        usernameOf: (userhash: string, algorithm: DigestAlgorithm) =>
          attempt(() => service.usernameOf?.(userhash, algorithm)) ?? undefined,
      }),
    },
    groups: service.groupsOf && {
      groupsOf: (username) =>
        call(
          () => service.groupsOf?.(username),
          (groups) => groups ?? [],
        ),
    },
  };
}

/**
 * A missing answer refuses the password.
 * @throws TypeError for an object or a text, which must not sign anybody in; its value may be a secret
 */
function decisionOf(answer: unknown, source: string): boolean {
  if (typeof answer === 'boolean' || !answer) return answer === true;
  throw new TypeError(
    `verify() of the source "${source}" returned a value of the type ${typeof answer}. Return true or false.`,
  );
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
