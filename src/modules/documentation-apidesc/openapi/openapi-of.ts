import { atOnce, type Steps } from '../../../framework';
import { ApiContent, ApiListContent, ServiceContent } from '../../documentation';
import { openapiOfApi, openapiOfList, openapiOfService, type OpenApiDocument } from './document';

/**
 * The OpenAPI 3.1 document of what the documentation endpoint shows: the list, an API or a service.
 * @throws TypeError for content that is no documentation
 */
export function openapiOf(content: unknown): OpenApiDocument {
  return atOnce(openapiInSteps(content));
}

/** The same in steps. @throws as {@link openapiOf} does */
export function openapiInSteps(content: unknown): Steps<OpenApiDocument> {
  if (content instanceof ApiListContent) return openapiOfList(content.getApis());
  if (content instanceof ApiContent) return openapiOfApi(content.documentation);
  const service = content instanceof ServiceContent ? content.documentation : undefined;
  const api = service?.getApi();
  if (service !== undefined && api !== undefined && api !== null) return openapiOfService(api, service);
  throw new TypeError('OpenAPI describes documentation, and nothing else.');
}
