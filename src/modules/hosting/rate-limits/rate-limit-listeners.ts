import { hash } from 'node:crypto';
import {
  Listeners,
  priorities,
  problem,
  type ApplicationEvents,
  type EventManager,
  type MvcEvent,
  type Problem,
} from '../../../framework';
import { addressKey, isPolicyRule, requiresUser, type AccessRule } from '../../mvc-auth';
import { describeLimit } from './describe-limit';
import { quotaItem } from './ratelimit-fields';
import type { AppliedLimit, OperationLimits, RateLimitState } from './rate-limits';
import type { Quota } from './sliding-window';

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
}

const BEFORE_AUTHENTICATION = priorities.route.authentication + 1;
const AFTER_AUTHENTICATION = priorities.route.authentication - 1;

/** The key of the limits that all clients share. */
const EVERYONE = '';

/** Applies rate limits. Attached only if limits are configured. */
export class RateLimitListeners extends Listeners<ApplicationEvents> {
  readonly #state: RateLimitState;

  constructor(state: RateLimitState) {
    super();
    this.#state = state;
  }

  protected override listeners(events: EventManager<ApplicationEvents>): readonly (() => void)[] {
    return [
      events.attach('route', (event) => this.#limitAddress(event), BEFORE_AUTHENTICATION),
      events.attach('route', (event) => this.#limitUser(event), AFTER_AUTHENTICATION),
      events.attach('response', (event) => addFields(event), priorities.response.fields),
    ];
  }

  /**
   * Limits per address are counted before a password is verified, which is expensive. Limits per user cannot be: anyone
   * could name a user and use up what is left. Instead, credentials that were refused count for their address.
   */
  #limitAddress(event: MvcEvent): void {
    const limits = event.endpoint?.rateLimits;
    if (limits === undefined) return;
    const address = addressKey(event.request.address);
    event.rateLimitClient = { address, user: undefined };
    if (event.request.header('authorization') !== undefined)
      for (const limit of limits.perUser) this.#assertWithin(limit, refusedKey(address));
    for (const limit of limits.perAddress) this.#assertWithin(limit, address);
    for (const limit of limits.perAddress) limit.usage.add(address, limit.weight);
  }

  /** Nothing is counted unless all limits allow the request. */
  #limitUser({ endpoint, identity, rateLimitClient: client }: MvcEvent): void {
    const limits = endpoint?.rateLimits;
    if (limits === undefined || client === undefined) return;
    const isGuest = identity?.isGuest !== false;
    // A guest receives a challenge instead of the operation.
    if (isGuest && refusesGuests(endpoint?.access)) return;
    const user = isGuest ? guestKey(client.address) : userKey(identity.name);
    for (const limit of limits.perUser) this.#assertWithin(limit, user);
    for (const limit of limits.shared) this.#assertWithin(limit, EVERYONE);
    for (const limit of limits.perUser) limit.usage.add(user, limit.weight);
    for (const limit of limits.shared) limit.usage.add(EVERYONE, limit.weight);
    client.user = user;
  }

  /** @throws Problem 429 */
  #assertWithin(limit: AppliedLimit, client: string): void {
    const wait = limit.usage.msUntil(client, limit.weight, limit.limit);
    if (wait <= 0) return;
    this.#state.countRefusal(limit.name);
    throw refusal(limit, Math.max(1, Math.ceil(wait / 1_000)), limit.usage.quota(client, limit.limit));
  }
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
  return problem(
    'rate_limited',
    { limit: describeLimit({ limit, window, per }), seconds },
    {
      extensions: { 'violated-policies': [name] },
      fields: [
        ['Retry-After', String(seconds)],
        ['Cache-Control', 'no-store'],
        ['RateLimit', quotaItem(quotedName, quota)],
      ],
    },
  );
}

/** Adds the fields, except to a 401, which is the same whatever its cause. */
function addFields({ endpoint, rateLimitClient: client, response, request }: MvcEvent): void {
  const limits = endpoint?.rateLimits;
  if (limits === undefined || client === undefined) return;
  if (response.status === 401) {
    if (request.header('authorization') === undefined) return;
    for (const { usage, weight } of limits.perUser) usage.add(refusedKey(client.address), weight);
    return;
  }
  response.fields.set('RateLimit-Policy', limits.policyField);
  // A refusal reports the limit that was reached.
  if (!response.fields.has('RateLimit')) response.fields.set('RateLimit', quotasOf(limits, client));
}

function quotasOf(limits: OperationLimits, { address, user }: RateLimitClient): string {
  const items = limits.perAddress.map((limit) => itemOf(limit, address));
  if (user !== undefined) {
    for (const limit of limits.perUser) items.push(itemOf(limit, user));
    for (const limit of limits.shared) items.push(itemOf(limit, EVERYONE));
  }
  return items.join(', ');
}

function itemOf({ quotedName, usage, limit }: AppliedLimit, client: string): string {
  return quotaItem(quotedName, usage.quota(client, limit));
}
