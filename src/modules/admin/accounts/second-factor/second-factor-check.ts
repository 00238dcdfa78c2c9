import { createHash } from 'node:crypto';
import type { Deployment, MvcEvent } from '../../../../framework';
import { toVerificationProblem, type Throttle } from '../../../mvc-auth';
import type { SecondFactor } from '../account-details';
import type { Administrators } from '../administrators';
import { throttled } from '../sign-in';
import { ACCEPTED_MS, matchingStep } from './one-time-passwords';
import { recoveryCodeHash } from './recovery-codes';

/** The throttling realm of second factors: guesses of passwords are counted separately. */
const REALM = 'Second factor';

/** Verifies one-time passwords and recovery codes. Each is accepted once in the whole deployment. */
export class SecondFactorCheck {
  readonly #administrators: Administrators;
  readonly #throttle: Throttle;
  readonly #deployment: Deployment;

  constructor(administrators: Administrators, throttle: Throttle, deployment: Deployment) {
    this.#administrators = administrators;
    this.#throttle = throttle;
    this.#deployment = deployment;
  }

  /**
   * Failures are counted for the address of the client, and together for the administrator: a password that has become known
   * would allow guessing the six digits from many addresses.
   * @throws Problem 429 after too many wrong codes, 503 if the state of the deployment cannot be reached
   */
  async verify(event: MvcEvent, name: string, factor: SecondFactor, code: string): Promise<boolean> {
    const attempt = { realm: REALM, username: name, guess: code };
    const ofAll = `${REALM} of ${name}`;
    try {
      return await throttled(this.#throttle, event.request.address, attempt, () =>
        throttled(this.#throttle, ofAll, attempt, () => this.#isAccepted(name, factor, code)),
      );
    } catch (error) {
      throw toVerificationProblem(error);
    }
  }

  async #isAccepted(
    name: string,
    { secret, recovery_codes: codes }: SecondFactor,
    code: string,
  ): Promise<boolean> {
    const isClaimed = await this.claim(secret, code);
    if (isClaimed !== undefined) return isClaimed;
    const hash = recoveryCodeHash(code);
    return codes.includes(hash) && (await this.#administrators.useRecoveryCode(name, hash));
  }

  /**
   * A one-time password that was observed must not be accepted again (RFC 6238, 5.2), also the one that proved the secret
   * when the factor was set up.
   *
   * @returns whether this is its first use; undefined for a wrong one
   * @throws if the state of the deployment cannot be reached
   */
  async claim(secret: string, code: string): Promise<boolean | undefined> {
    const step = matchingStep(secret, code, Date.now());
    if (step === undefined) return undefined;
    const { state } = this.#deployment;
    const nonce = createHash('sha256').update(`${secret} ${step}`).digest('base64url');
    const lifetime = 2 * ACCEPTED_MS;
    const { generation } = state;
    const counter = state.counterFor({ nonce, expiresAt: state.now() + lifetime, lifetime, generation });
    return (await counter.claim(1)) === 'accepted';
  }
}
