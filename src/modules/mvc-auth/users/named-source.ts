import { ConfigurationError, describeValue, isThenable, type Services } from '../../../framework';
import { AuthConfigurationError, withAdapterName } from '../http-adapter/auth-configuration-error';
import type { DigestSource, GroupSource, PasswordSource } from '../http/credential-source';
import {
  DIGEST_ALGORITHMS,
  digestDigits,
  readDigestSecret,
  type DigestAlgorithm,
} from '../http/digest/digest-algorithm';
import { SourceCalls } from './source-calls';

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

/** Calls the service through {@link SourceCalls}. */
function guarded(
  adapter: string,
  name: string,
  service: PasswordSource & DigestSource & Partial<GroupSource>,
  warn: (message: string) => void,
): NamedSource {
  const warnOf = (message: string): void => warn(withAdapterName(adapter, message));
  const calls = new SourceCalls(name, warnOf);
  const secretOf = secretReader(name, warnOf);
  // Whether these exist is part of their meaning.
  return {
    passwords: {
      verify: (...given) =>
        calls.call(
          () => service.verify(...given),
          (isCorrect) => decisionOf(isCorrect, name),
        ),
      ...(service.recall && {
        recall: (field: string) =>
          nameIn(
            calls.attempt(() => service.recall?.(field)),
            'recall',
            name,
          ),
      }),
    },
    digests: {
      get algorithms() {
        return service.algorithms;
      },
      secretOf: (username, algorithm, client) =>
        calls.call(
          () => service.secretOf(username, algorithm, client),
          (secret) => secretOf(secret, algorithm),
        ),
      ...(service.usernameOf && {
        usernameOf: (userhash: string, algorithm: DigestAlgorithm) =>
          nameIn(
            calls.attempt(() => service.usernameOf?.(userhash, algorithm)),
            'usernameOf',
            name,
          ),
      }),
    },
    groups: service.groupsOf && {
      groupsOf: (username) =>
        calls.call(
          () => service.groupsOf?.(username),
          (groups) => groups ?? [],
        ),
    },
  };
}

/**
 * Returns a function that reads what `secretOf()` returned: undefined for no user, and for what is not a digest.
 * @param warn called for the first that is not a digest
 */
function secretReader(
  source: string,
  warn: (message: string) => void,
): (answer: unknown, algorithm: DigestAlgorithm) => string | undefined {
  let hasWarned = false;
  return (answer, algorithm) => {
    // Anyone could compute the digests of an empty secret.
    if (answer === undefined || answer === null || answer === '') return undefined;
    const secret = typeof answer === 'string' ? readDigestSecret(answer, algorithm) : undefined;
    if (secret === undefined && !hasWarned) {
      hasWarned = true;
      const found = `something other than ${digestDigits(algorithm)} hexadecimal digits for ${algorithm}`;
      warn(`secretOf() of the source "${source}" returned ${found}; its users cannot sign in with Digest`);
    }
    return secret;
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

/**
 * Null means an unknown user, too.
 * @throws TypeError for anything but a name, such as a promise, which would be the name of a user
 */
function nameIn(answer: unknown, member: string, source: string): string | undefined {
  if (answer === undefined || answer === null || typeof answer === 'string') return answer ?? undefined;
  // The rejection of a promise that nobody awaits would end the process.
  if (isThenable(answer)) Promise.resolve(answer).catch(() => undefined);
  throw new TypeError(
    `${member}() of the source "${source}" returned ${describeValue(answer)}. Return the name of the user, or undefined, at once: it must not be asynchronous.`,
  );
}
