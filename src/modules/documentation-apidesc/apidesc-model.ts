import { ViewStrategy, type JsonRenderer, type Steps, type ViewModel } from '../../framework';
import { JsonModel } from '../content-negotiation';
import { openapiInSteps, openapiOf } from './openapi/openapi-of';

/** The documentation as an OpenAPI 3.1 document, under the vendor's media type. */
export class ApidescModel extends JsonModel {
  static override readonly cacheable = true;

  /** @throws TypeError for content that is not documentation */
  override serialize(): unknown {
    return openapiOf(this.content);
  }

  /** Serializes in steps. @throws as {@link serialize} does */
  override serializeInSteps(): Steps<unknown> {
    return openapiInSteps(this.content);
  }
}

export const APIDESC_TYPE = 'application/vnd.apidesc+json';

/** Recognizes the vendor format's model, which the standard JSON renderer renders. */
export class ApidescStrategy extends ViewStrategy {
  constructor(renderer: JsonRenderer) {
    super(renderer, APIDESC_TYPE);
  }

  protected override recognizes(model: ViewModel): boolean {
    return model instanceof ApidescModel;
  }
}
