import type { Request } from '../../../framework';
import { Guard, requiresUser, type AccessRule } from '../../mvc-auth';

/**
 * Returns the guard of public documentation for a request: without an adapter that is usable from the client's address,
 * the client is a guest. Documentation that requires a user keeps its guard, which refuses such requests.
 *
 * @param access who may read it
 */
export function reachableGuard(
  guard: Guard | undefined,
  access: AccessRule,
  request: Request,
): Guard | undefined {
  if (guard === undefined || requiresUser(access)) return guard;
  const reachable = guard.reachableFrom(request);
  return reachable instanceof Guard ? reachable : undefined;
}
