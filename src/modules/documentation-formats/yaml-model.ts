import { ViewModel, ViewStrategy, type Renderer } from '../../framework';
import { stringify } from 'yaml';
import { openapiOf } from '../documentation-apidesc';

/** The OpenAPI 3.1 document as YAML. */
export class YamlModel extends ViewModel {
  static override readonly cacheable = true;
}

/** YAML 1.2, as readers of version 1.1 understand it too. */
export class YamlRenderer implements Renderer {
  render({ content }: ViewModel): string {
    // Anchors would make two equal schemas one, which some readers of OpenAPI cannot follow.
    return stringify(openapiOf(content), { aliasDuplicateObjects: false, lineWidth: 0, version: '1.1' });
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
