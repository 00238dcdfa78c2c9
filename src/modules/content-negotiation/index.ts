import { ContainerModule } from 'inversify';
import type { BootstrapEvent, ConfigTree, Module } from '../../framework';
import { JsonModel } from './json-model';
import { NegotiationListeners } from './negotiation-listeners';
import { Selectors } from './selectors';
import { NEGOTIATION_KEY, negotiationDefaults, negotiationSettings } from './settings';

export { HypermediaCollection, HypermediaEntity, type Link, type Links, type Paging } from './hypermedia';
export { JsonModel, showsHypermedia, type HypermediaModelClass, type HypermediaShape } from './json-model';
export type { UploadLimits } from './multipart/limits';
export { fileField, UploadedFile, type FileFieldOptions } from './multipart/uploaded-file';
export { takesForms } from './negotiation-listeners';
export { plainOf } from './plain';
export type { NegotiationPolicy, Uploads } from './policy';
export { formatOf, Selector, type DoubledType, type Representation } from './selector';
export { Selectors } from './selectors';
export { mediaTypeSchema, NEGOTIATION_KEY, uploadLimits } from './settings';
export { assertWhole } from './whole-result';

/** Selectors, bodies, and the choice of a representation. */
export default class ContentNegotiationModule implements Module {
  readonly name = 'content-negotiation';
  readonly defaults: ConfigTree = negotiationDefaults;
  readonly schemas = { [NEGOTIATION_KEY]: negotiationSettings };
  readonly services = new ContainerModule(({ bind }) => {
    bind('JsonModel').toConstantValue(JsonModel);
  });

  async onBootstrap({ application }: BootstrapEvent): Promise<void> {
    const { services, configuration, events, warnings } = application;
    const selectors = await Selectors.open(configuration, services);
    services.set(Selectors, selectors);
    warnings.push(...selectors.doubled());
    events.attachGroup(new NegotiationListeners());
  }
}
