import type { Steps } from '../../framework';
import { JsonModel } from '../content-negotiation';
import { openapiInSteps, openapiOf } from './openapi/openapi-of';

/** The documentation as an OpenAPI 3.1 document, under the vendor's media type. */
export class ApidescModel extends JsonModel {
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
