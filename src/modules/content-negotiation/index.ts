import { ContainerModule } from 'inversify';
import type { BootstrapEvent, ConfigTree, Module } from '../../framework';
import { JsonModel } from './json-model';
import { NegotiationListeners } from './negotiation-listeners';
import { Selectors } from './selectors';
import { NEGOTIATION_KEY, negotiationDefaults, negotiationSettings } from './settings';

export { JsonModel } from './json-model';
export type { NegotiationPolicy } from './policy';
export { formatOf, Selector, type Representation } from './selector';
export { Selectors } from './selectors';
export { mediaTypeSchema } from './settings';

/** Selectors, bodies, and the choice of a representation. */
export default class ContentNegotiationModule implements Module {
  readonly name = 'content-negotiation';
  readonly defaults: ConfigTree = negotiationDefaults;
  readonly schemas = { [NEGOTIATION_KEY]: negotiationSettings };
  readonly services = new ContainerModule(({ bind }) => {
    bind('JsonModel').toConstantValue(JsonModel);
  });

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, events } = application;
    services.set(Selectors, await Selectors.open(configuration, services));
    events.attachGroup(new NegotiationListeners());
  }
}
