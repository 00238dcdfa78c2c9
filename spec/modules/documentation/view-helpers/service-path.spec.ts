import { Operation } from '../../../../src/modules/documentation/model/operation';
import { Service } from '../../../../src/modules/documentation/model/service';
import { docServicePath } from '../../../../src/modules/documentation/view-helpers/service-path';
import { atlas, operationData, serviceData } from '../../../fixtures/documentation';

describe('docServicePath', () => {
  const country = atlas.getService('Country')!;

  it('drops the identifier for a collection and keeps it for an entity', () => {
    expect(docServicePath(country, country.getOperations()[0]!)).toBe('/atlas/countries');
    expect(docServicePath(country, country.getEntityOperations()[0]!)).toBe('/atlas/countries/:country_code');
  });

  it('is the whole route of a procedure', () => {
    const distance = atlas.getService('Distance')!;
    expect(docServicePath(distance, distance.getOperations()[0]!)).toBe('/atlas/distance/:from/:to');
  });

  it('keeps optional parts that hold no identifier', () => {
    const service = new Service(serviceData({ route: '[/:lang]/things[/:thing_id]' }));
    expect(docServicePath(service, new Operation(operationData()))).toBe('/:lang/things');
  });

  it('is escaped', () => {
    const service = new Service(serviceData({ route: '/a<b>' }));
    expect(docServicePath(service, new Operation(operationData()))).toBe('/a&lt;b&gt;');
  });
});
