import type { Steps } from '../../framework';
import { JsonModel } from '../content-negotiation';
import { openapiInSteps, openapiOf } from '../documentation-apidesc';

/** The documentation as an OpenAPI 3.1 document, under the media types that OpenAPI registers. */
export class OpenapiModel extends JsonModel {
  static override readonly cacheable = true;

  /** @throws TypeError for content that is no documentation */
  override serialize(): unknown {
    return openapiOf(this.content);
  }

  /** The same in steps. @throws as {@link serialize} does */
  override serializeInSteps(): Steps<unknown> {
    return openapiInSteps(this.content);
  }
}
