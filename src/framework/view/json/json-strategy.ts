import type { RenderSteps } from '../../events/cooperative';
import { JsonModel } from './json-model';
import { jsonPieces, jsonText } from './json-text';
import { concatChunks, isMoreDerived, type Renderer } from '../renderer';
import type { ViewModel } from '../view-model';
import { ViewStrategy } from '../view-strategy';

/** Levels of a document that are written piece by piece: in ours, down to the operations. */
const LEVELS = 4;

/** `JSON.stringify` of what a JSON model serializes to. */
export class JsonRenderer implements Renderer {
  /** @throws TypeError for content that is no JSON (circular, a BigInt), which names the place */
  render(model: ViewModel): string {
    return jsonText(serialized(model));
  }

  /** @throws as `render` does */
  *steps(model: ViewModel): RenderSteps<string | Buffer> {
    const isLarge = model instanceof JsonModel && isMoreDerived(model, 'serializeInSteps', 'serialize');
    const content = isLarge ? yield* model.serializeInSteps() : serialized(model);
    return yield* concatChunks(jsonPieces(content, LEVELS));
  }
}

function serialized(model: ViewModel): unknown {
  return model instanceof JsonModel ? model.serialize() : model.content;
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
