import { Operation } from '../../../../src/modules/documentation/model/operation';
import { Service } from '../../../../src/modules/documentation/model/service';
import { atlas, operationData, serviceData } from '../../../fixtures/documentation';

describe('Service', () => {
  const country = atlas.getServices()[0]!;

  it('has the accessors of the specification', () => {
    expect(country.getDescription()).toContain('Countries');
    expect(country.getRoute()).toBe('/atlas/countries[/:country_code]');
    expect(country.getRouteIdentifierName()).toBe('country_code');
    expect(country.getFields().map((field) => field.getName())).toContain('currencies');
    expect(country.getOperations().map((operation) => operation.getHttpMethod())).toEqual(['GET']);
    expect(country.getEntityOperations().map((operation) => operation.isEntity())).toEqual([true]);
    expect(country.getRequestAcceptTypes()).toEqual(['application/json', 'application/hal+json']);
    expect(country.getRequestContentTypes()).toEqual(['application/json']);
    expect(country.getResponseContentTypes()).toEqual(['application/json', 'application/hal+json']);
    expect(country.getResponseStatusCodes()[0]).toEqual({ code: 200, message: 'OK' });
  });

  it('is serialized in the published layout', () => {
    expect(Object.keys(country.toJSON())).toEqual([
      'name',
      'description',
      'route',
      'route_identifier_name',
      'route_parameters',
      'request_accept_types',
      'request_content_types',
      'response_content_types',
      'fields',
      'operations',
      'entity_operations',
      'response_status_codes',
      'options',
    ]);
  });

  it('returns immutable lists', () => {
    for (const set of [country.getFields(), country.getOperations(), country.getRequestAcceptTypes()]) {
      expect([...set]).toEqual([...set]);
      expect(Object.isFrozen(set)).toBe(true);
    }
    expect(Object.isFrozen(country.getFields()[0]!.getSchema())).toBe(true);
  });

  it('has different paths for collection and entity', () => {
    const [list] = country.getOperations();
    const [read] = country.getEntityOperations();
    expect(country.getPaths(list!)).toEqual(['/atlas/countries']);
    expect(country.getPaths(read!)).toEqual(['/atlas/countries/:country_code']);
  });

  it('keeps the whole route if it has no identifier', () => {
    const operation = new Operation(operationData({ entity: true }));
    const service = new Service(serviceData({ route: '/things', routeIdentifierName: 'id' }));
    expect(service.getPaths(operation)).toEqual(['/things']);
  });
});
