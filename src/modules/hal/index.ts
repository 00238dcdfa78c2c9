import { ContainerModule } from 'inversify';
import type { ConfigObject, Module } from '../../framework';
import { NEGOTIATION_KEY } from '../content-negotiation';
import { HalJsonModel } from './hal-json-model';

export { HalJsonModel } from './hal-json-model';

/** The HAL response format. A service selects it with `selector: 'HalJson'`. */
export default class HalModule implements Module {
  readonly name = 'hal';
  readonly requires = ['content-negotiation'];
  readonly defaults: ConfigObject = {
    [NEGOTIATION_KEY]: {
      selectors: { HalJson: { HalJsonModel: ['application/hal+json', 'application/json'] } },
    },
  };
  readonly services = new ContainerModule(({ bind }) => {
    bind('HalJsonModel').toConstantValue(HalJsonModel);
  });
}
