import { atOnce, collected, ViewModel, ViewStrategy, type Renderer, type Steps } from '../../framework';
import { openapiInSteps } from '../documentation-apidesc';
import { yamlPieces } from './yaml-text';

/** The OpenAPI 3.1 document as YAML. */
export class YamlModel extends ViewModel {
  static override readonly cacheable = true;
}

/** Levels that are written piece by piece: operations, and schemas, are pieces. */
const LEVELS = 3;

/** YAML 1.2, as readers of version 1.1 understand it too. */
export class YamlRenderer implements Renderer {
  render(model: ViewModel): string | Buffer {
    return atOnce(this.steps(model));
  }

  *steps({ content }: ViewModel): Steps<string | Buffer> {
    return yield* collected(yamlPieces(yield* openapiInSteps(content), LEVELS));
  }
}

/** Labels YAML with the type that was asked for: `application/yaml` (RFC 9512) or that of OpenAPI. */
export class YamlStrategy extends ViewStrategy {
  constructor(renderer: YamlRenderer) {
    super(renderer, 'application/yaml');
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof YamlModel;
  }

  protected override contentTypeOf(model: ViewModel): string {
    return model.mediaType ?? super.contentTypeOf(model);
  }
}
