import type { ParameterData, ServiceData, StatusCodeData } from './data';
import { fieldJson, type FieldJson } from './field';
import { operationJson, type OperationJson } from './operation-json';
import { OPTIONS_JSON, type OptionsJson } from './options';

/** The JSON of a service. */
export interface ServiceJson {
  readonly name: string;
  readonly description: string;
  /** Absent if none are declared. */
  readonly tags?: readonly string[];
  readonly route: string;
  readonly route_identifier_name: string | null;
  /** Present if several parameters identify an entity. */
  readonly route_identifier_names?: readonly string[];
  readonly route_parameters: readonly ParameterData[];
  readonly request_accept_types: readonly string[];
  readonly request_content_types: readonly string[];
  readonly response_content_types: readonly string[];
  readonly fields: readonly FieldJson[];
  readonly operations: readonly OperationJson[];
  readonly entity_operations: readonly OperationJson[];
  readonly response_status_codes: readonly StatusCodeData[];
  /** How its paths answer `OPTIONS`. */
  readonly options: OptionsJson;
}

/** Returns the JSON of a service. */
export function serviceJson(data: ServiceData): ServiceJson {
  return {
    name: data.name,
    description: data.description,
    ...(data.tags === undefined ? {} : { tags: data.tags }),
    route: data.route,
    route_identifier_name: data.routeIdentifierName,
    ...(data.routeIdentifierNames === undefined ? {} : { route_identifier_names: data.routeIdentifierNames }),
    route_parameters: data.routeParameters,
    request_accept_types: data.requestAcceptTypes,
    request_content_types: data.requestContentTypes,
    response_content_types: data.responseContentTypes,
    // No objects of the model: most of their time would be garbage collection.
    fields: data.fields.map(fieldJson),
    operations: data.operations.map(operationJson),
    entity_operations: data.entityOperations.map(operationJson),
    response_status_codes: data.responseStatusCodes,
    options: OPTIONS_JSON,
  };
}
