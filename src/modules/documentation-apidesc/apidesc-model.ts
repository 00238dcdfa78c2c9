import { JsonModel } from '../content-negotiation';
import { openapiOf } from './openapi/openapi-of';

/** The documentation as an OpenAPI 3.1 document, under the vendor's media type. */
export class ApidescModel extends JsonModel {
  static override readonly cacheable = true;

  /** @throws TypeError for content that is no documentation */
  override serialize(): unknown {
    return openapiOf(this.content);
  }
}
