import type { Steps } from '../../values/steps';
import { isThenable } from '../../events/maybe-promise';
import { fieldEssence } from '../../http/media-type';
import { JsonModel } from './json-model';
import { jsonChunks, jsonText } from './json-text';
import { concatChunks, isMoreDerived, type Renderer } from '../renderer';
import type { ViewModel } from '../view-model';
import { ViewStrategy } from '../view-strategy';

/** Levels of a document that are written in chunks: in documentation, down to the operations. */
const CHUNKED_LEVELS = 4;

/** Formats that JSON is never, without parameters. Others may be: JSON is YAML, and some clients read it as text. */
const NOT_JSON =
  /^(?!.*\+json$)(?:(?:audio|font|image|video)\/|[^/]*\/(?:.*\+)?xml$|text\/csv$|application\/pdf$)/;

/** Renders JSON models with `JSON.stringify`. */
export class JsonRenderer implements Renderer {
  /** @throws TypeError with a JSON Pointer for content that cannot be serialized (circular, a BigInt) */
  render(model: ViewModel): string {
    return jsonText(serialized(model));
  }

  /** @throws as `render` does */
  *steps(model: ViewModel): Steps<string | Buffer> {
    const isLarge = model instanceof JsonModel && isMoreDerived(model, 'serializeInSteps', 'serialize');
    const content = isLarge ? yield* model.serializeInSteps() : serialized(model);
    return yield* concatChunks(jsonChunks(content, CHUNKED_LEVELS));
  }
}

/** @throws TypeError for a promise, which JSON would write as an object without members */
function serialized(model: ViewModel): unknown {
  if (!(model instanceof JsonModel)) return model.content;
  const content = model.serialize();
  if (content !== model.content && isThenable(content))
    throw new TypeError(`serialize() of ${model.constructor.name} returned a promise. Return the value.`);
  return content;
}

/** Renders every JsonModel that no strategy of a higher priority recognizes. */
export class JsonStrategy extends ViewStrategy {
  static readonly PRIORITY = 100;

  constructor(renderer: JsonRenderer) {
    super(renderer, 'application/json');
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof JsonModel;
  }

  /** @throws TypeError for a format that is not JSON, whose strategy is missing: clients could not read the response */
  protected override contentTypeOf(model: ViewModel): string {
    const { mediaType } = model;
    if (mediaType === undefined) return super.contentTypeOf(model);
    if (!NOT_JSON.test(fieldEssence(mediaType) ?? '')) return mediaType;
    throw new TypeError(
      `No view strategy renders ${model.constructor.name} as ${mediaType}, so that it would be JSON. Register one: registerStrategyAtRender(application, …).`,
    );
  }
}
