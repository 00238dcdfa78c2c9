import { ContainerModule } from 'inversify';
import {
  JsonRenderer,
  registerStrategyAtRender,
  type BootstrapEvent,
  type ConfigTree,
  type Module,
} from '../../framework';
import { ApidescModel } from './apidesc-model';
import { APIDESC_TYPE, ApidescStrategy } from './apidesc-strategy';

export { openapiInSteps, openapiOf } from './openapi/openapi-of';
export type { OpenApiDocument } from './openapi/document';

/** The machine-readable API description, and the worked example of a format that a module adds. */
export default class DocumentationApidescModule implements Module {
  readonly name = 'documentation-apidesc';
  readonly needs = ['documentation'];
  readonly defaults: ConfigTree = {
    'platform-content-negotiation': { selectors: { Documentation: { ApidescModel: [APIDESC_TYPE] } } },
  };
  readonly services = new ContainerModule(({ bind }) => {
    bind('ApidescModel').toConstantValue(ApidescModel);
    bind('ApidescStrategy').toResolvedValue(
      (renderer: JsonRenderer) => new ApidescStrategy(renderer),
      [JsonRenderer],
    );
  });

  onBootstrap({ application }: BootstrapEvent): void {
    registerStrategyAtRender(application, 'ApidescStrategy', `The module ${this.name}`);
  }
}
