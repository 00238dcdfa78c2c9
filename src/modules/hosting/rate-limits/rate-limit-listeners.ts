import { hash } from 'node:crypto';
import {
  addressKey,
  Listeners,
  priorities,
  problem,
  withoutStack,
  type ApplicationEvents,
  type Deployment,
  type EventManager,
  type ExactCounts,
  type MaybePromise,
  type MvcEvent,
  type Problem,
} from '../../../framework';
import { isPolicyRule, requiresUser, type AccessRule, type Quota, type RateLimitState } from '../../mvc-auth';
import { describeLimit } from './describe-limit';
import { quotaItem } from './ratelimit-fields';
import { forceExactly, takeExactly, type ClientUse } from './exact-limits';
import type { AppliedLimit, OperationLimits } from './rate-limits';

declare module '../../../framework' {
  interface Endpoint {
    readonly rateLimits?: OperationLimits | undefined;
  }
  interface MvcEvent {
    /** The client whose requests the rate limits count. Set before authentication if the operation has limits. */
    rateLimitClient?: RateLimitClient;
  }
}

/** The keys of a client. */
interface RateLimitClient {
  readonly address: string;
  /** The user, or the address of a guest; undefined before authentication. */
  user: string | undefined;
  /** Of exact limits, as the deployment counts. */
  readonly quotas?: Map<AppliedLimit, Quota>;
}

const BEFORE_AUTHENTICATION = priorities.route.authentication + 1;
const AFTER_AUTHENTICATION = priorities.route.authentication - 1;

/** The key of the limits that all clients share. */
const EVERYONE = '';

/** Applies rate limits. Attached only if limits are configured. */
export class RateLimitListeners extends Listeners<ApplicationEvents> {
  readonly #state: RateLimitState;
  readonly #deployment: Deployment;

  constructor(state: RateLimitState, deployment: Deployment) {
    super();
    this.#state = state;
    this.#deployment = deployment;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => this.#limitAddress(event), BEFORE_AUTHENTICATION),
      events.attach('route', (event) => this.#limitUser(event), AFTER_AUTHENTICATION),
      events.attach('response', (event) => this.#addFields(event), priorities.response.fields),
    ];
  }

  /**
   * Limits per address are counted before a password is verified, which is expensive. Limits per user cannot be: anyone
   * could name a user and use up what is left. Instead, credentials that were refused count for their address.
   */
  #limitAddress(event: MvcEvent): MaybePromise<void> {
    const limits = event.endpoint?.rateLimits;
    if (limits === undefined) return;
    const address = addressKey(event.request.address);
    const isSignIn = hasCredentials(event);
    const exact = this.#exactFor(limits);
    if (exact !== undefined) {
      event.rateLimitClient = { address, user: undefined, quotas: new Map() };
      const key = refusedKey(address);
      const refused = isSignIn ? limits.perUser : [];
      return this.#limitExactly(exact, event.rateLimitClient, [
        ...refused.map((limit) => ({ limit, key, isCounted: false })),
        ...limits.perAddress.map((limit) => ({ limit, key: address, isCounted: true })),
      ]);
    }
    event.rateLimitClient = { address, user: undefined };
    if (isSignIn) for (const limit of limits.perUser) this.#assertWithin(limit, refusedKey(address));
    for (const limit of limits.perAddress) this.#assertWithin(limit, address);
    for (const limit of limits.perAddress) limit.usage.add(address, limit.weight);
  }

  /** Nothing is counted unless all limits allow the request. */
  #limitUser({ endpoint, identity, rateLimitClient: client }: MvcEvent): MaybePromise<void> {
    const limits = endpoint?.rateLimits;
    if (limits === undefined || client === undefined) return;
    const isGuest = identity?.isGuest !== false;
    // A guest receives a challenge instead of the operation.
    if (isGuest && refusesGuests(endpoint?.access)) return;
    const user = isGuest ? guestKey(client.address) : userKey(identity.name);
    const exact = client.quotas === undefined ? undefined : this.#exactFor(limits);
    if (exact !== undefined) {
      client.user = user;
      return this.#limitExactly(exact, client, [
        ...limits.perUser.map((limit) => ({ limit, key: user, isCounted: true })),
        ...limits.shared.map((limit) => ({ limit, key: EVERYONE, isCounted: true })),
      ]);
    }
    for (const limit of limits.perUser) this.#assertWithin(limit, user);
    for (const limit of limits.shared) this.#assertWithin(limit, EVERYONE);
    for (const limit of limits.perUser) limit.usage.add(user, limit.weight);
    for (const limit of limits.shared) limit.usage.add(EVERYONE, limit.weight);
    client.user = user;
  }

  /** The counts of the deployment, if a limit needs them and they can be reached. */
  #exactFor({ hasExact }: OperationLimits): ExactCounts | undefined {
    if (!hasExact) return undefined;
    const exact = this.#deployment.store?.exactCounts;
    return exact?.isAvailable === true ? exact : undefined;
  }

  /** Exact limits are counted here too, for the time when the deployment cannot be reached. */
  async #limitExactly(
    exact: ExactCounts,
    { quotas }: RateLimitClient,
    uses: readonly ClientUse[],
  ): Promise<void> {
    const ordinary = uses.filter(({ limit }) => !limit.isExact);
    const asked = uses.filter(({ limit }) => limit.isExact);
    for (const { limit, key } of ordinary) this.#assertWithin(limit, key);
    // Requests that arrive before the reply are compared with this one, which is not counted if it is refused.
    const held = ordinary.filter(({ isCounted }) => isCounted);
    for (const { limit, key } of held) limit.usage.hold(key, limit.weight);
    try {
      const results = await takeExactly(exact, asked);
      for (const { limit, key } of asked) {
        const result = results?.get(limit);
        if (result === undefined) this.#assertWithin(limit, key);
        else if (result.wait > 0) throw this.#refuse(limit, result.wait, result);
        else quotas?.set(limit, result);
      }
    } finally {
      for (const { limit, key } of held) limit.usage.release(key, limit.weight);
    }
    for (const { limit, key, isCounted } of uses) if (isCounted) limit.usage.add(key, limit.weight);
  }

  /** @throws Problem 429 */
  #assertWithin(limit: AppliedLimit, client: string): void {
    const wait = limit.usage.msUntil(client, limit.weight, limit.limit);
    if (wait > 0) throw this.#refuse(limit, wait, limit.usage.quota(client, limit.limit));
  }

  /** @param wait in milliseconds */
  #refuse(limit: AppliedLimit, wait: number, quota: Quota): Problem {
    this.#state.countRefusal(limit.name);
    return refusal(limit, Math.max(1, Math.ceil(wait / 1_000)), quota);
  }

  /** Adds the fields, except to a 401, which is the same whatever its cause. */
  #addFields(event: MvcEvent): void {
    const { endpoint, rateLimitClient: client, response } = event;
    const limits = endpoint?.rateLimits;
    if (limits === undefined || client === undefined) return;
    if (response.status === 401) {
      if (!hasCredentials(event)) return;
      const key = refusedKey(client.address);
      for (const { usage, weight } of limits.perUser) usage.add(key, weight);
      const exact = this.#exactFor(limits);
      if (exact !== undefined) forceExactly(exact, limits.perUser, key);
      return;
    }
    response.fields.set('RateLimit-Policy', limits.policyField);
    // A refusal reports the limit that was reached.
    if (!response.fields.has('RateLimit')) response.fields.set('RateLimit', quotasOf(limits, client));
  }
}

/** Modules authenticate without adapters, too. */
function hasCredentials({ guard, request }: MvcEvent): boolean {
  return guard?.hasCredentials(request) ?? request.header('authorization') !== undefined;
}

/** A policy may allow guests. */
function refusesGuests(access: AccessRule | undefined): boolean {
  return access !== undefined && requiresUser(access) && !isPolicyRule(access);
}

/** Credentials that were refused. The first character tells the kinds of keys apart. */
function refusedKey(address: string): string {
  return `!${address}`;
}

/** Longer user names are hashed, to limit memory. */
const MAX_LENGTH = 64;

function userKey(name: string | null): string {
  const text = name ?? '';
  return text.length > MAX_LENGTH ? `#${hash('sha256', text, 'base64url')}` : `=${text}`;
}

function guestKey(address: string): string {
  return `@${address}`;
}

function refusal(
  { name, quotedName, limit, window, per }: AppliedLimit,
  seconds: number,
  quota: Quota,
): Problem {
  const more = {
    extensions: { 'violated-policies': [name] },
    fields: [
      ['Retry-After', String(seconds)],
      ['Cache-Control', 'no-store'],
      ['RateLimit', quotaItem(quotedName, quota)],
    ] as const,
  };
  const exceeded = describeLimit({ limit, window, per });
  return withoutStack(() => problem('rate_limited', { limit: exceeded, seconds }, more));
}

function quotasOf(limits: OperationLimits, client: RateLimitClient): string {
  const { address, user } = client;
  const items = limits.perAddress.map((limit) => itemOf(limit, address, client));
  if (user !== undefined) {
    for (const limit of limits.perUser) items.push(itemOf(limit, user, client));
    for (const limit of limits.shared) items.push(itemOf(limit, EVERYONE, client));
  }
  return items.join(', ');
}

function itemOf(limit: AppliedLimit, key: string, { quotas }: RateLimitClient): string {
  return quotaItem(limit.quotedName, quotas?.get(limit) ?? limit.usage.quota(key, limit.limit));
}
