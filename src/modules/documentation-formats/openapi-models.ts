import { runSync, type Steps } from '../../framework';
import { JsonModel } from '../content-negotiation';
import { openapiInSteps, openapiOf } from '../documentation-apidesc';
import { swaggerOf } from './swagger/document';

/** The documentation as an OpenAPI 3.1 document, under the media types that OpenAPI registers. */
export class OpenapiModel extends JsonModel {
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

/** The documentation as a Swagger 2.0 document, for clients of the predecessor. */
export class SwaggerModel extends JsonModel {
  static override readonly cacheable = true;

  /** @throws TypeError for content that is not documentation */
  override serialize(): unknown {
    return runSync(this.serializeInSteps());
  }

  /** Serializes in steps. @throws as {@link serialize} does */
  override *serializeInSteps(): Steps<unknown> {
    return yield* swaggerOf(yield* openapiInSteps(this.content));
  }
}
