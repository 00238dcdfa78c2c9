import { atOnce, type Steps } from '../../framework';
import { JsonModel } from '../content-negotiation';
import { openapiInSteps } from '../documentation-apidesc';
import { swaggerOf } from './swagger/document';

/** The documentation as a Swagger 2.0 document, for clients of the predecessor. */
export class SwaggerModel extends JsonModel {
  static override readonly cacheable = true;

  /** @throws TypeError for content that is no documentation */
  override serialize(): unknown {
    return atOnce(this.serializeInSteps());
  }

  /** The same in steps. @throws as {@link serialize} does */
  override *serializeInSteps(): Steps<unknown> {
    return yield* swaggerOf(yield* openapiInSteps(this.content));
  }
}
