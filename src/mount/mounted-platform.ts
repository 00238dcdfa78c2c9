import type { RunningPlatform } from '../start';

/** A platform whose requests come from another program. */
export interface MountedPlatform extends Pick<RunningPlatform, 'application' | 'host' | 'inject'> {
  /**
   * Waits for the responses in flight, at most `server.shutdown_timeout` seconds, and disposes of the application.
   * Further requests are refused (503): stop the server first.
   */
  close(): Promise<void>;
}

/** Adds the members of the platform to the function that handles its requests. */
export function mounted<Handle extends object>(
  handle: Handle,
  platform: RunningPlatform,
): Handle & MountedPlatform {
  const members: PropertyDescriptorMap & Record<keyof MountedPlatform, PropertyDescriptor> = {
    application: { get: () => platform.application, enumerable: true },
    host: { value: platform.host, enumerable: true },
    inject: {
      value: (request: Parameters<typeof platform.inject>[0]) => platform.inject(request),
      enumerable: true,
    },
    close: { value: () => platform.stop({ idleGrace: 0, drainDelay: 0 }), enumerable: true },
  };
  return Object.defineProperties(handle, members) as Handle & MountedPlatform;
}
