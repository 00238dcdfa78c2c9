import type { Deployment, Request } from '../../../framework';
import type { SignInSecrets } from '../provider/provider';
import { SealedCookie } from './sealed-cookie';

/** A sign-in that the browser has begun. */
export interface Flow extends SignInSecrets {
  /** As it was sent to the provider. */
  readonly redirectUri: string;
  /** The page to return to: path, query and fragment. */
  readonly target: string;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
}

/** Seconds for signing in at the provider. */
export const FLOW_LIFETIME = 600;

/** Keeps a sign-in in the browser that has begun it, so that any node can finish it and no other browser can. */
export class FlowCookie {
  readonly #cookie: SealedCookie<Flow>;
  readonly #clock: () => number;

  constructor(deployment: Deployment, path: string, owner: string, clock: () => number = () => Date.now()) {
    this.#cookie = new SealedCookie(deployment, { name: 'platform_sign_in', path, owner });
    this.#clock = clock;
  }

  /** @throws TypeError for a flow that is too long, which the limits of its members exclude */
  set(flow: Omit<Flow, 'startedAt'>, secure: boolean): string {
    const cookie = this.#cookie.set({ ...flow, startedAt: this.#clock() }, { secure, maxAge: FLOW_LIFETIME });
    if (cookie === undefined) throw new TypeError('The sign-in does not fit into a cookie.');
    return cookie;
  }

  /** Undefined without a sign-in, and after its lifetime. */
  read(request: Request): Flow | undefined {
    return this.#cookie.read(request, ({ startedAt }) => this.#clock() - startedAt < FLOW_LIFETIME * 1_000);
  }

  expired(secure: boolean): string {
    return this.#cookie.expired({ secure });
  }
}
