import type { Renderer } from './renderer';
import { JsonModel } from './json-model';
import { jsonText } from './json-text';
import type { ViewModel } from './view-model';
import { ViewStrategy } from './view-strategy';

/** `JSON.stringify` of what a JSON model serializes to. */
export class JsonRenderer implements Renderer {
  /** @throws TypeError for content that is no JSON (circular, a BigInt), which names the place */
  render(model: ViewModel): string {
    return jsonText(model instanceof JsonModel ? model.serialize() : model.content);
  }
}

/** Every model that extends JsonModel and that no strategy above claimed. */
export class JsonStrategy extends ViewStrategy {
  static readonly PRIORITY = 100;

  constructor(renderer: JsonRenderer) {
    super(renderer, 'application/json');
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof JsonModel;
  }

  protected override contentTypeOf(model: ViewModel): string {
    return model.mediaType ?? super.contentTypeOf(model);
  }
}
