import { JsonModel } from '../content-negotiation';
import { ApiContent, ApiListContent, ServiceContent } from '../documentation';
import { openapiOfApi, openapiOfList, openapiOfService } from './openapi/document';

/** The documentation as an OpenAPI 3.1 document. */
export class ApidescModel extends JsonModel {
  /** @throws TypeError for content that is no documentation */
  override serialize(): unknown {
    const { content } = this;
    if (content instanceof ApiListContent) return openapiOfList(content.getApis());
    if (content instanceof ApiContent) return openapiOfApi(content.documentation);
    const service = content instanceof ServiceContent ? content.documentation : undefined;
    const api = service?.getApi();
    if (service !== undefined && api !== undefined && api !== null) return openapiOfService(api, service);
    throw new TypeError('ApidescModel shows documentation, and nothing else.');
  }
}
