import type { IncomingMessage } from 'node:http';
import { splitOrigin, splitTarget } from '../target';
import type { ClientAddresses } from './client-addresses';

/** How proxies remove a path prefix. */
export interface PrefixRules {
  /** The prefix that they always remove: the path of `server.public_url`; may be empty. */
  readonly publicPath: string;
  /** The prefix of every route, as clients see it. */
  readonly base: string;
  /** Whether trusted proxies name the prefix in `X-Forwarded-Prefix`. */
  readonly isForwarded: boolean;
  readonly specificity: Specificity;
}

/** Returns how specific the route of a path is; 0 without a route. */
type Specificity = (path: string) => number;

/**
 * Restores the path prefix that a proxy removed, so that everything works with the targets that clients sent: links,
 * the `uri` of Digest, and the access log. Targets that still have the prefix stay as they are.
 * Routes may begin with the segments of the prefix, too: the target with the more specific route is meant.
 */
export class RemovedPrefix {
  readonly #rules: PrefixRules;
  readonly #addresses: ClientAddresses;

  private constructor(rules: PrefixRules, addresses: ClientAddresses) {
    this.#rules = rules;
    this.#addresses = addresses;
  }

  /** Returns undefined if no proxy can remove a prefix, so that requests cost nothing. */
  static from(rules: PrefixRules, addresses: ClientAddresses): RemovedPrefix | undefined {
    const isPossible = rules.publicPath !== '' || (rules.isForwarded && rules.base !== '');
    return isPossible ? new RemovedPrefix(rules, addresses) : undefined;
  }

  /** Returns the target that the client sent. */
  restore(message: IncomingMessage): string {
    const { publicPath, base } = this.#rules;
    const target = message.url ?? '/';
    const forwarded = this.#rules.isForwarded ? this.#addresses.resolve(message).prefix : '';
    // Another prefix than that of the routes would match none of them.
    const prefix = forwarded !== '' && isPrefix(forwarded, base) ? forwarded : publicPath;
    return withPrefix(target, prefix, this.#rules.specificity);
  }
}

/** Whether a path begins with the segments of a prefix. */
function isPrefix(prefix: string, path: string): boolean {
  return path.startsWith(prefix) && ['', '/', '?', '#'].includes(path.charAt(prefix.length));
}

/**
 * Adds a prefix to a target in origin-form or absolute-form (RFC 9112, 3.2), unless it has it already.
 * @param specificity compares a target that begins with the prefix to the same one behind another prefix
 */
export function withPrefix(target: string, prefix: string, specificity: Specificity): string {
  if (target === '*' || prefix === '') return target;
  const [origin, path] = splitOrigin(target);
  const longer = `${origin}${prefix}${path.startsWith('/') ? '' : '/'}${path}`;
  if (!isPrefix(prefix, path)) return longer;
  const routeOf = (one: string): number => specificity(splitTarget(one).path);
  return routeOf(longer) > routeOf(target) ? longer : target;
}
