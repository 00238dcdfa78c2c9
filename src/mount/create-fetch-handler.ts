import { isIP } from 'node:net';
import { ConfigurationError, describeValue } from '../framework';
import { startProcess } from '../start/start-process';
import { withMountPath, type MountOptions } from './mount-options';
import { mounted, type MountedPlatform } from './mounted-platform';

/** The options of {@link createFetchHandler}. */
export interface FetchHandlerOptions<
  Context extends readonly unknown[] = readonly unknown[],
> extends MountOptions {
  /**
   * Returns the network address of the client, if it is known. Without it, limits per address count all clients together,
   * and the admin is closed.
   *
   * @param context what the server passes to the handler besides the request: `info` in Deno, the server in Bun
   */
  readonly address?: (request: Request, ...context: Context) => string | undefined;
}

/** A function from `Request` to `Response` (WHATWG Fetch). It needs no `this`. */
export interface FetchHandler<
  Context extends readonly unknown[] = readonly unknown[],
> extends MountedPlatform {
  /** @throws Error if the signal of the request is aborted, its body fails, or the client closed the connection */
  (request: Request, ...context: Context): Promise<Response>;
}

/**
 * Builds the application of a project, or of the passed configuration, as a function for servers with `Request` and
 * `Response`: Hono, Deno, Bun, and adapters such as those of AWS Lambda. Bodies are streams in both directions.
 * @throws ConfigurationError for an invalid configuration
 *
 * @example
 * const handler = await createFetchHandler({ modules: [notes], configuration: {}, mountPath: '/api' });
 * app.all('/api/*', (context) => handler(context.req.raw));
 */
export async function createFetchHandler<Context extends readonly unknown[] = readonly unknown[]>(
  options: FetchHandlerOptions<Context> = {},
): Promise<FetchHandler<Context>> {
  const source = 'createFetchHandler';
  const { address } = options;
  const program = withMountPath(options, source, ['address']);
  if (address !== undefined && typeof address !== 'function')
    throw new ConfigurationError(
      `${source}: address is ${describeValue(address)}. Pass a function that returns the address of the client of a request.`,
    );
  const platform = await startProcess({ ...program, listen: false }, { source });
  let hasWarned = false;
  const addressOf = (known: unknown): string => {
    if (typeof known === 'string' && isIP(known) !== 0) return known;
    if (!hasWarned && known !== '') {
      hasWarned = true;
      platform.application.log.warn(
        {},
        `${source}: address returned ${describeValue(known)}, which is not an IP address: limits per address count such clients together. Other values are not logged.`,
      );
    }
    return '';
  };
  const handle = (request: Request, ...context: Context): Promise<Response> => {
    const known = address?.(request, ...context) ?? '';
    return platform.server.fetch(request, addressOf(known));
  };
  return mounted(handle, platform);
}
