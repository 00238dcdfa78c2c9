import type { Configuration } from '../../config/configuration';
import type { Services } from '../../container/services';
import { ConfigurationError } from '../../errors/configuration-error';
import { describeScriptError } from '../../errors/describe-script-error';
import type { MaybePromise } from '../../events/maybe-promise';
import { describeValue } from '../../text/describe-value';
import type { Module } from './module';
import { isContainerModule } from './module-members';

/** @throws ConfigurationError if two modules bind one service, or the services of one cannot be declared */
export async function bindModules(
  services: Services,
  modules: readonly Module[],
  configuration: Configuration,
): Promise<void> {
  for (const module of modules)
    await withModule(module, configuration, async () => {
      const declared: unknown =
        typeof module.services === 'function' ? module.services(configuration) : module.services;
      if (declared === undefined) return;
      if (!isContainerModule(declared))
        throw new ConfigurationError(
          `The module "${module.name}": services() returned ${describeValue(declared)}. Return a ContainerModule.`,
        );
      await services.load(module.name, declared);
    });
}

/** @throws ConfigurationError with the module and the location in its code, for any thrown value */
export async function withModule(
  { name }: Module,
  { root }: Configuration,
  act: () => MaybePromise<void> | undefined,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    const reason = await describeScriptError(error, { root });
    throw new ConfigurationError(`The module "${name}" failed to start: ${reason}`, { cause: error });
  }
}
