import {
  type Application,
  failureLogger,
  Kernel,
  MvcEvent,
  Request,
  type RequestHandler,
  Server,
} from '../../framework';
import { unreadDatabases } from '../../modules/database';
import type { CommandContext } from '../command-context';
import { hostOf } from '../open-project';

const LOOPBACK = '127.0.0.1';

/**
 * Serves a project on a loopback port while `work` runs.
 * @param work receives origin and base path
 * @param options `starts`: start the resources, whose operations are called
 * @throws ConfigurationError for an invalid configuration
 */
export async function served<T>(
  root: string,
  io: CommandContext,
  work: (base: string) => Promise<T>,
  options: { readonly starts?: boolean } = {},
): Promise<T> {
  const host = hostOf(root, io);
  try {
    const application = await host.build();
    // Their services are documented without their fields.
    for (const warning of await unreadDatabases(application)) io.stderr.write(`Warning: ${warning}\n`);
    const server = new Server(unobserved(application));
    try {
      if (options.starts === true) await application.start();
      const { port } = await server.listen(LOOPBACK, 0);
      return await work(`http://${LOOPBACK}:${port}${application.baseUrl}`);
    } finally {
      await server.close(0);
    }
  } finally {
    await host.close();
  }
}

/** Handles requests like the application, without access log and metrics. */
function unobserved(application: Application): RequestHandler {
  const kernel = new Kernel(application.events, failureLogger(application.log));
  return {
    handle: (message, outgoing) => {
      const event = new MvcEvent(new Request(message, outgoing), outgoing, application.log);
      void Promise.resolve(kernel.handle(event)).catch(() => outgoing.destroy());
    },
    dispose: () => application.dispose(),
  };
}
