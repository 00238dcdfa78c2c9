import type { Renderer } from './renderer';
import { JsonModel } from './json-model';
import type { ViewModel } from './view-model';
import { ViewStrategy } from './view-strategy';

/** `JSON.stringify` of what a JSON model serializes to. */
export class JsonRenderer implements Renderer {
  /** @throws TypeError for content that is no JSON: circular, a BigInt */
  render(model: ViewModel): string {
    const content = model instanceof JsonModel ? model.serialize() : model.content;
    // Of undefined, `JSON.stringify` makes no text at all.
    return content === undefined ? 'null' : JSON.stringify(content);
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
