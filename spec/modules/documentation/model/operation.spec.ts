import { Operation } from '../../../../src/modules/documentation/model/operation';
import { atlas, operationData } from '../../../fixtures/documentation';

describe('Operation', () => {
  const create = atlas.getService('Visit')!.getOperations()[1]!;

  it('has the accessors of the specification', () => {
    expect(create.getHttpMethod()).toBe('POST');
    expect(create.getDescription()).toBe('Record a visit.');
    expect(create.getRequestDescription()).toBe('The visit, without a number');
    expect(create.getResponseDescription()).toBe('The visit with its number');
  });

  it('has the access rule', () => {
    expect(create.requiresAuthorization()).toBe(true);
    expect(create.getAdapters()).toEqual(['visitors']);
  });

  it('is serialized in the published layout', () => {
    expect(Object.keys(create.toJSON())).toEqual([
      'http_method',
      'description',
      'request_description',
      'response_description',
      'requires_authorization',
      'response_status_codes',
      'request_accept_types',
      'request_content_types',
      'response_content_types',
      'fields',
      'query_parameters',
      'response_headers',
      'deprecated',
      'request_example',
      'response_example',
    ]);
  });

  it('distinguishes an example of null from none', () => {
    expect(new Operation(operationData({ responseExample: null })).getResponseExample()).toBeNull();
    expect(new Operation(operationData()).getResponseExample()).toBeUndefined();
  });
});
