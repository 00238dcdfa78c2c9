import { runSync, concatChunks, ViewModel, ViewStrategy, type Renderer, type Steps } from '../../framework';
import { openapiInSteps } from '../documentation-apidesc';
import { yamlChunks } from './yaml-text';

/** The OpenAPI 3.1 document as YAML. */
export class YamlModel extends ViewModel {
  static override readonly cacheable = true;
}

/** Levels that are split into chunks: operations and schemas. */
const LEVELS = 3;

/** Renders YAML 1.2 that YAML 1.1 parsers read too. */
export class YamlRenderer implements Renderer {
  render(model: ViewModel): string | Buffer {
    return runSync(this.steps(model));
  }

  *steps({ content }: ViewModel): Steps<string | Buffer> {
    return yield* concatChunks(yamlChunks(yield* openapiInSteps(content), LEVELS));
  }
}

/** `application/yaml` (RFC 9512), or the media type of OpenAPI if that is requested. */
export class YamlStrategy extends ViewStrategy {
  constructor(renderer: YamlRenderer) {
    super(renderer, 'application/yaml');
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof YamlModel;
  }
}
