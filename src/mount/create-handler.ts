import type { IncomingMessage, ServerResponse } from 'node:http';
import { hasPathPrefix, Problem, problemResponse, splitTarget, type Application } from '../framework';
import { allowListeners } from '../framework/http/response';
import type { RunningPlatform } from '../start';
import { startProcess } from '../start/start-process';
import { appendHeaderLines } from './append-header-lines';
import { clientTarget, containsPath, isBodyRead, type HostRequest } from './host-request';
import { withMountPath, type MountOptions } from './mount-options';
import { mounted, type MountedPlatform } from './mounted-platform';

/** The options of {@link createHandler}. */
export interface HandlerOptions extends MountOptions {
  /** Whether to pass requests without a route to `next`, if the server has one, instead of a 404; defaults to false. */
  readonly fallthrough?: boolean;
}

/** Handles a request of `node:http`, Express, Connect or Fastify. It needs no `this`. */
export type NodeHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  next?: (error?: unknown) => void,
) => void;

/** The result of {@link createHandler}: a function, with the members of the platform. */
export type MountedHandler = NodeHandler & MountedPlatform;

/**
 * Builds the application of a project, or of the passed configuration, as a handler for the server of a program. The
 * server limits and closes connections; `server.port` and `server.tls` have no effect.
 * @throws ConfigurationError for an invalid configuration
 *
 * @example
 * const handler = await createHandler({ modules: [notes], configuration: {}, mountPath: '/api' });
 * app.use('/api', handler);
 */
export async function createHandler(options: HandlerOptions = {}): Promise<MountedHandler> {
  const source = 'createHandler';
  const platform = await startProcess(
    { ...withMountPath(options, source, ['fallthrough']), listen: false },
    { source },
  );
  const { fallthrough = false } = options;
  const handler: NodeHandler = (request, response, next) =>
    handle(platform, request, response, { next, fallthrough });
  return mounted(handler, platform);
}

interface Continuation {
  readonly next: ((error?: unknown) => void) | undefined;
  readonly fallthrough: boolean;
}

function handle(
  { application, server }: RunningPlatform,
  request: HostRequest,
  response: ServerResponse,
  { next, fallthrough }: Continuation,
): void {
  const { url } = request;
  request.url = clientTarget(request);
  const { path } = splitTarget(application.targetOf(request));
  const misplacement = misplaced(request, application, path);
  if (misplacement === undefined && next !== undefined && !accepts(application, path, fallthrough)) {
    if (url !== undefined) request.url = url;
    next();
    return;
  }
  const refusal = misplacement ?? refusalOf(request);
  if (refusal !== undefined) {
    application.log.error({ method: request.method, target: request.url }, refusal.detail);
    problemResponse(refusal).send(response, request.method ?? 'GET');
  } else {
    appendHeaderLines(response);
    // The platform observes it with as many listeners as Node expects of a program; the host has its own.
    allowListeners(response);
    server.handle(request, response);
  }
}

/** Whether a request is not one for `next`. */
function accepts(application: Application, path: string, fallthrough: boolean): boolean {
  return hasPathPrefix(path, application.baseUrl) && (!fallthrough || hasRoute(application, path));
}

function refusalOf(request: HostRequest): Problem | undefined {
  if (!isBodyRead(request)) return undefined;
  return new Problem(
    500,
    'The body of the request was read before the handler got it. Mount the handler before body parsers such as express.json().',
  );
}

/** Returns the problem of a handler that Express has mounted at another path than that of its routes. */
function misplaced(
  { baseUrl = '' }: HostRequest,
  application: Application,
  path: string,
): Problem | undefined {
  if (baseUrl === '' || containsPath(application.baseUrl, baseUrl) || hasRoute(application, path))
    return undefined;
  if (application.router.routes.some(({ pattern }) => containsPath(pattern.text, baseUrl))) return undefined;
  return new Problem(
    500,
    `The handler is mounted at "${baseUrl}", but its routes are below "${application.baseUrl}/". Pass the path to createHandler: { mountPath: ${JSON.stringify(baseUrl)} }.`,
  );
}

function hasRoute(application: Application, path: string): boolean {
  try {
    return application.router.match(path) !== undefined;
  } catch (error) {
    // The path cannot be decoded, which the response explains.
    if (error instanceof Problem) return true;
    throw error;
  }
}
