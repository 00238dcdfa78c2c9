import { createHash } from 'node:crypto';
import {
  errorMessage,
  FileError,
  lazily,
  type Deployment,
  type Log,
  type MvcEvent,
} from '../../../../framework';
import { toVerificationProblem, type Throttle } from '../../../mvc-auth';
import type { SecondFactor } from '../files/account-details';
import type { Administrators } from '../administrators';
import { throttled } from '../sign-in';
import { ACCEPTED_MS, isOneTimePassword, matchingStep } from './one-time-passwords';
import { recoveryCodeHash } from './recovery-codes';
import { UsedSteps } from './used-steps';

/** The throttling realm of second factors: guesses of passwords are counted separately. */
const REALM = 'Second factor';

/** Verifies one-time passwords and recovery codes. Each is accepted once in the whole deployment. */
export class SecondFactorCheck {
  readonly #administrators: Administrators;
  readonly #throttle: Throttle;
  readonly #deployment: Deployment;
  readonly #log: Log;
  readonly #used: () => UsedSteps;

  constructor(administrators: Administrators, throttle: Throttle, deployment: Deployment, log: Log) {
    this.#administrators = administrators;
    this.#throttle = throttle;
    this.#deployment = deployment;
    this.#log = log;
    this.#used = lazily(() => new UsedSteps(administrators.file));
  }

  /**
   * Failures are counted for the address of the client. Those of one-time passwords are also counted together for the
   * administrator: a password that has become known would allow guessing the six digits from many addresses. Recovery codes,
   * which nobody can guess, let the administrator in nevertheless.
   * @throws Problem 429 after too many wrong codes, 503 if the state of the deployment cannot be reached
   */
  async verify(event: MvcEvent, name: string, factor: SecondFactor, code: string): Promise<boolean> {
    const attempt = { realm: REALM, username: name, guess: code };
    const ofAll = `${REALM} of ${name}`;
    const isAccepted = (): Promise<boolean> => this.#isAccepted(name, factor, code);
    try {
      return await throttled(this.#throttle, event.request.address, attempt, () =>
        isOneTimePassword(code) ? throttled(this.#throttle, ofAll, attempt, isAccepted) : isAccepted(),
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
    if ((await this.#withFile(() => this.#used().isLater(secret, step))) === false) return false;
    const { state } = this.#deployment;
    const nonce = createHash('sha256').update(`${secret} ${step}`).digest('base64url');
    const lifetime = 2 * ACCEPTED_MS;
    const { generation } = state;
    const counter = state.counterFor({ nonce, expiresAt: state.now() + lifetime, lifetime, generation });
    if ((await counter.claim(1)) !== 'accepted') return false;
    await this.#withFile(() => this.#used().add(secret, step));
    return true;
  }

  /** Uses the file of the steps. Without it, administrators can sign in nevertheless: they may be those who repair it. */
  async #withFile<T>(use: () => Promise<T>): Promise<T | undefined> {
    try {
      return await use();
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
      this.#log.warn(
        { reason: errorMessage(error) },
        'The use of a one-time password cannot be recorded: after a restart, it could be used again until it expires.',
      );
      return undefined;
    }
  }
}
