import { DeploymentUnavailable, type Deployment } from '../../../framework';
import { SignInFailure } from '../provider/sign-in-failure';
import { FLOW_LIFETIME } from './flow-cookie';

/**
 * Marks a sign-in as completed on all nodes. Called after the provider has accepted the code, so that nobody else can
 * fill the store.
 *
 * @param state of the sign-in
 * @throws SignInFailure if it was completed before, or if the store cannot be reached
 */
export async function assertFirstUse({ state: deployment }: Deployment, state: string): Promise<void> {
  const lifetime = FLOW_LIFETIME * 1_000;
  const nonce = {
    nonce: `openid-${state}`,
    expiresAt: deployment.now() + lifetime,
    lifetime,
    generation: deployment.generation,
  };
  try {
    if ((await deployment.counterFor(nonce).claim(1)) === 'accepted') return;
  } catch (error) {
    if (!(error instanceof DeploymentUnavailable)) throw error;
    throw new SignInFailure('unavailable', error.message, { cause: error });
  }
  throw new SignInFailure('replayed', 'The callback was used before.');
}
