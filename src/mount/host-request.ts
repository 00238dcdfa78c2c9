import type { IncomingMessage } from 'node:http';
import { hasBody } from '../framework/http/body';
import { splitOrigin } from '../framework/http/target';

/** A request as Express, Connect and Fastify pass it: they remove the path of a mounted handler from `url`. */
export interface HostRequest extends IncomingMessage {
  /** The target that the client sent. */
  originalUrl?: string;
  /** In Express, the path that was removed. */
  baseUrl?: string;
}

/**
 * Returns the target with the path that the host removed, exactly as the client sent it: Digest covers it. If a program
 * has rewritten `url` since, the result has the new path.
 */
export function clientTarget({
  url = '/',
  originalUrl,
  baseUrl,
}: Pick<HostRequest, 'url' | 'originalUrl' | 'baseUrl'>): string {
  if (typeof originalUrl !== 'string') return url;
  if (typeof baseUrl !== 'string') return isRest(url, originalUrl) ? originalUrl : url;
  if (withoutPrefix(originalUrl, baseUrl) === url) return originalUrl;
  const [origin, path] = splitOrigin(url);
  return `${origin}${baseUrl}${path}`;
}

/** Whether Connect removed the beginning of a target's path, rather than a program having written another `url`. */
function isRest(url: string, target: string): boolean {
  const [, rest] = splitOrigin(url);
  const [, path] = splitOrigin(target);
  // It adds a slash if the rest has none.
  return path.endsWith(rest) || (/^\/(?:[?.]|$)/.test(rest) && path.endsWith(rest.slice(1)));
}

function withoutPrefix(target: string, prefix: string): string | undefined {
  const [origin, path] = splitOrigin(target);
  if (!path.startsWith(prefix)) return undefined;
  const rest = path.slice(prefix.length);
  return `${origin}${rest.startsWith('/') ? '' : '/'}${rest}`;
}

/**
 * Returns whether a route pattern contains the segments of a path, in any case: that does not matter to Express.
 * @param pattern such as `[/v:version]/parcels`
 */
export function containsPath(pattern: string, path: string): boolean {
  const [, ...rests] = pattern.toLowerCase().split(path.toLowerCase());
  return rests.some((rest) => rest === '' || rest.startsWith('/') || rest.startsWith('['));
}

/** Returns whether the body of a request was read, so that it cannot be read again. */
export function isBodyRead(message: IncomingMessage): boolean {
  return message.readableDidRead && hasBody(message);
}
