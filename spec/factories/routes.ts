import {
  MethodTable,
  type BootstrapEvent,
  type MaybePromise,
  type Module,
  type MvcEvent,
} from '../../src/framework';
import { startTestPlatform, type TestPlatform, type TestProject } from './platform';

/** Handlers by `METHOD /pattern`. */
export type Handlers = Readonly<Record<string, (event: MvcEvent) => unknown>>;

/** A module with these handlers and further bootstrap code. */
export function routesModule(
  handlers: Handlers,
  also: (event: BootstrapEvent) => MaybePromise<void> = () => undefined,
  name = 'test-routes',
): Module {
  return {
    name,
    onBootstrap(event) {
      for (const [where, handler] of Object.entries(handlers)) {
        const [method = '', pattern = ''] = where.split(' ');
        const methods = new MethodTable({ [method]: { name: where, handler } });
        event.application.router.add(where, pattern, { methods });
      }
      return also(event);
    },
  };
}

/** A platform of the framework alone, with handlers and further bootstrap code. */
export function startFramework(
  handlers: Handlers,
  also?: (event: BootstrapEvent) => MaybePromise<void>,
  project: TestProject = {},
): Promise<TestPlatform> {
  return startTestPlatform({
    modules: [],
    ...project,
    extra: [...(project.extra ?? []), routesModule(handlers, also)],
  });
}
