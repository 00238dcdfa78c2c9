import type { HostedEndpoint, HostedService, HostedVersion } from '../hosting';
import { needsUser, type OperationPolicy } from '../mvc-auth';
import { headersOf } from './headers-of';
import type { JsonSchema, OperationData, PolicyData } from './model/data';
import { exampleOfSchema } from './model/example-of-schema';
import { fieldsFromSchema } from './model/fields-from-schema';
import { queryParameters } from './parameters-of';
import { statusesOf } from './statuses-of';

/** The documentation of an operation, from the record that its requests are served by. */
export function operationOf(
  endpoint: HostedEndpoint,
  service: HostedService,
  lifecycle: HostedVersion['lifecycle'],
): OperationData {
  const { definition, method, part, requestSchema, shownSchema: responseSchema } = endpoint;
  const responseTypes = definition.stream ?? definition.response_type ?? service.accept;
  const request = definition.examples?.request ?? exampleOf(requestSchema);
  // An author's example is of the plain content.
  const given = responseSchema === endpoint.responseSchema ? definition.examples?.response : undefined;
  const response = given ?? exampleOf(responseSchema);
  return {
    httpMethod: method,
    entity: part === 'entity',
    description: definition.description ?? '',
    requestDescription: definition.request_description ?? '',
    responseDescription: definition.response_description ?? '',
    requiresAuthorization: needsUser(endpoint.access),
    ...(endpoint.policy === undefined ? {} : { policy: policyOf(endpoint.policy) }),
    adapters: endpoint.guard?.descriptions.map(({ name }) => name) ?? [],
    acceptTypes: responseTypes,
    contentTypes: endpoint.negotiation.contentTypes,
    responseContentTypes: responseSchema === null && endpoint.status === 204 ? [] : responseTypes,
    fields: requestSchema === null ? [] : fieldsFromSchema(requestSchema),
    queryParameters: queryParameters(endpoint.querySchema),
    ...headersOf(endpoint, lifecycle),
    requestSchema,
    responseSchema,
    responseStatusCodes: statusesOf(endpoint, service),
    ...(request === undefined ? {} : { requestExample: request }),
    ...(response === undefined ? {} : { responseExample: response }),
    ...(lifecycle?.deprecated === undefined && definition.deprecated === undefined
      ? {}
      : { deprecated: lifecycle?.deprecated !== undefined || definition.deprecated === true }),
  };
}

function exampleOf(schema: JsonSchema | null): unknown {
  return schema === null ? undefined : exampleOfSchema(schema);
}

function policyOf({ name, description }: OperationPolicy): PolicyData {
  return { name, description };
}

/** What is told of an operation's answers. */
export interface DocumentedAnswers {
  readonly statuses: ReadonlySet<number>;
  /** Media types of successful answers. */
  readonly types: ReadonlySet<string>;
}

/** The answers that an operation may give by its documentation. */
export function documentedAnswers(endpoint: HostedEndpoint, service: HostedService): DocumentedAnswers {
  const { responseStatusCodes, responseContentTypes } = operationOf(endpoint, service, undefined);
  return {
    statuses: new Set(responseStatusCodes.map(({ code }) => code)),
    types: new Set(responseContentTypes),
  };
}
