import { andThen, type MaybePromise } from '../../../../framework';
import type { ServiceDefinition } from '../../definition/definition';
import type { OperationDefinition } from '../../definition/operation-definition';
import type { OperationHooks } from '../../hooks/operation-hooks';
import type { BodyValidator } from './body-validator';
import type { CompileContext } from '../compile-context';
import { accessOf, resolveAccess, type OperationAccess, type ResolvedAccess } from './operation-access';

/** What an operation refers to by name. */
interface OperationReferences {
  readonly hooks: readonly OperationHooks[];
  readonly access: ResolvedAccess;
  readonly bodyValidators: readonly BodyValidator[];
}

/**
 * Resolves what an operation refers to by name. Synchronous for those that name nothing, as most do: there may be fifty
 * thousand.
 *
 * @throws ConfigurationError if something cannot be found
 */
export function resolveReferences(
  { definition, isQuery }: { readonly definition: OperationDefinition; readonly isQuery: boolean },
  operation: Pick<OperationAccess, 'reference' | 'part' | 'method' | 'name' | 'timeout'>,
  service: ServiceDefinition,
  context: CompileContext,
): MaybePromise<OperationReferences> {
  const { name, part, method } = operation;
  const { resolver } = context;
  const { declared, like } = accessOf(service, part, method, definition);
  const operationAccess: OperationAccess = {
    name,
    reference: operation.reference,
    part,
    method,
    declared: declared ?? service.authorization ?? context.authorization,
    like,
    timeout: operation.timeout,
  };
  // Those of the service are for entities.
  const validators = [...(isQuery ? [] : (service.validators ?? [])), ...(definition.validators ?? [])];
  return andThen(resolver.hooks([context.hooks, service.hooks, definition.hooks], name), (hooks) =>
    andThen(resolveAccess(operationAccess, context), (access) =>
      andThen(resolver.validators(validators, name), (bodyValidators) => ({ hooks, access, bodyValidators })),
    ),
  );
}
