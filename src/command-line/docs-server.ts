import { Kernel, MvcEvent, Request, Server, type Application, type RequestHandler } from '../framework';
import type { ConfigIo } from './config-command';
import { hostOf } from './open-project';

const LOOPBACK = '127.0.0.1';

/**
 * Serves a project to nobody but this process, while something is done with it.
 * @param work is given origin and base path
 * @throws StartError for a project that cannot be started
 */
export async function served<T>(root: string, io: ConfigIo, work: (base: string) => Promise<T>): Promise<T> {
  const host = hostOf(root, io);
  try {
    const application = await host.build();
    const server = new Server(unobserved(application));
    try {
      const { port } = await server.listen(LOOPBACK, 0);
      return await work(`http://${LOOPBACK}:${port}${application.baseUrl}`);
    } finally {
      await server.close(0);
    }
  } finally {
    await host.close();
  }
}

/** Answers as the application does, and leaves nothing in its logs and figures. */
function unobserved(application: Application): RequestHandler {
  const kernel = new Kernel(application.events, application.log);
  return {
    handle: (message, outgoing) => {
      const event = new MvcEvent(new Request(message, outgoing), outgoing, application.log);
      void Promise.resolve(kernel.handle(event)).catch(() => outgoing.destroy());
    },
    dispose: () => application.dispose(),
  };
}
