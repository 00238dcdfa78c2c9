import { ContainerModule } from 'inversify';
import {
  JsonRenderer,
  registerStrategyAtRender,
  type BootstrapEvent,
  type ConfigObject,
  type Module,
} from '../../framework';
import { APIDESC_TYPE, ApidescModel, ApidescStrategy } from './apidesc-model';

export { openapiInSteps, openapiOf } from './openapi/openapi-of';
export type { OpenApiDocument } from './openapi/document';

/** The machine-readable API description, and a complete example of a format that a module adds. */
export default class DocumentationApidescModule implements Module {
  readonly name = 'documentation-apidesc';
  readonly requires = ['documentation'];
  readonly defaults: ConfigObject = {
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
