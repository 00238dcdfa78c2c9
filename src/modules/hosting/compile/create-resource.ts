import type { Newable } from 'inversify';
import { ConfigurationError, type Services } from '../../../framework';

/**
 * Returns an instance of a resource class: the one of the container, or a new one.
 * @param where service name, for messages
 * @throws ConfigurationError for a class with constructor arguments that no module binds, and one that cannot be created
 */
export async function createResource<Resource>(
  resource: Newable<Resource>,
  services: Services,
  where: string,
): Promise<Resource> {
  if (services.has(resource)) return services.get(resource);
  if (resource.length > 0) {
    throw new ConfigurationError(
      `${where}: the resource class ${resource.name} has constructor arguments: bind it in the module's services.`,
    );
  }
  try {
    return new resource();
  } catch (error) {
    const reason = await services.describeFailure(error);
    throw new ConfigurationError(
      `${where}: the resource class ${resource.name} cannot be created: ${reason}`,
      {
        cause: error,
      },
    );
  }
}
