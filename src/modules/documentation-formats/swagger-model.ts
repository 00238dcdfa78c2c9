import { JsonModel } from '../content-negotiation';
import { openapiOf } from '../documentation-apidesc';
import { swaggerOf } from './swagger/document';

/** The documentation as a Swagger 2.0 document, for clients of the predecessor. */
export class SwaggerModel extends JsonModel {
  static override readonly cacheable = true;

  /** @throws TypeError for content that is no documentation */
  override serialize(): unknown {
    return swaggerOf(openapiOf(this.content));
  }
}
