import { ContainerModule } from 'inversify';
import {
  registerStrategyAtRender,
  type BootstrapEvent,
  type ConfigObject,
  type Module,
} from '../../framework';
import { MarkdownModel, MarkdownRenderer, MarkdownStrategy } from './markdown-model';
import { OpenapiModel, SwaggerModel } from './openapi-models';
import { YamlModel, YamlRenderer, YamlStrategy } from './yaml-model';

/** Further formats of the documentation: OpenAPI under its own types and as YAML, Swagger 2.0, Markdown. */
export default class DocumentationFormatsModule implements Module {
  readonly name = 'documentation-formats';
  readonly requires = ['documentation', 'documentation-apidesc'];
  readonly defaults: ConfigObject = {
    'platform-content-negotiation': {
      selectors: {
        Documentation: {
          OpenapiModel: ['application/vnd.oai.openapi+json;version=3.1'],
          YamlModel: ['application/yaml', 'application/vnd.oai.openapi;version=3.1'],
          SwaggerModel: ['application/vnd.swagger+json'],
          MarkdownModel: ['text/markdown'],
        },
      },
    },
  };
  readonly services = new ContainerModule(({ bind }) => {
    bind('OpenapiModel').toConstantValue(OpenapiModel);
    bind('SwaggerModel').toConstantValue(SwaggerModel);
    bind('YamlModel').toConstantValue(YamlModel);
    bind('YamlStrategy').toResolvedValue(() => new YamlStrategy(new YamlRenderer()));
    bind('MarkdownModel').toConstantValue(MarkdownModel);
    bind('MarkdownStrategy').toResolvedValue(() => new MarkdownStrategy(new MarkdownRenderer()));
  });

  onBootstrap({ application }: BootstrapEvent): void {
    for (const strategy of ['YamlStrategy', 'MarkdownStrategy']) {
      registerStrategyAtRender(application, strategy, `The module ${this.name}`);
    }
  }
}
