import { Api } from '../../../../src/modules/documentation/model/api';
import { Operation } from '../../../../src/modules/documentation/model/operation';
import { Service } from '../../../../src/modules/documentation/model/service';
import { docServicePath } from '../../../../src/modules/documentation/view-helpers/addresses';
import { atlas, atlasData, operationData, serviceData } from '../../../fixtures/documentation';

describe('docServicePath', () => {
  const country = atlas.getService('Country')!;

  it('omits the identifier for a collection and keeps it for an entity', () => {
    expect(docServicePath(country, country.getOperations()[0]!)).toBe('/v2/atlas/countries');
    expect(docServicePath(country, country.getEntityOperations()[0]!)).toBe(
      '/v2/atlas/countries/:country_code',
    );
  });

  it('returns the whole route of a procedure', () => {
    const distance = atlas.getService('Distance')!;
    expect(docServicePath(distance, distance.getOperations()[0]!)).toBe('/v2/atlas/distance/:from/:to');
  });

  it('starts with the base URL and the path of the API', () => {
    const api = new Api({ ...atlasData, baseUrl: '/base', basePath: '/geo' });
    const service = api.getService('Country')!;
    expect(docServicePath(service, service.getOperations()[0]!)).toBe('/base/geo/v2/atlas/countries');
  });

  it('returns only the path for a service without an API, and keeps optional parts without the identifier', () => {
    const service = new Service(serviceData({ route: '[/:lang]/things[/:thing_id]' }));
    expect(docServicePath(service, new Operation(operationData()))).toBe('/:lang/things');
  });

  it('is escaped', () => {
    const service = new Service(serviceData({ route: '/a<b>' }));
    expect(docServicePath(service, new Operation(operationData()))).toBe('/a&lt;b&gt;');
  });
});
