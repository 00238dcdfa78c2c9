import fc from 'fast-check';
import { Api } from '../../../../src/modules/documentation/model/api';
import { OperationIds } from '../../../../src/modules/documentation-apidesc/openapi/operation-id';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

describe('OperationIds', () => {
  it('are unique identifiers for any service names', () => {
    const name = fc.string({
      minLength: 1,
      maxLength: 3,
      unit: fc.constantFrom('A', 'b', '_', '.', '-', ' '),
    });
    fc.assert(
      fc.property(fc.array(name, { maxLength: 5 }), (names) => {
        const operations = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((httpMethod) =>
          operationData({ httpMethod }),
        );
        const entityOperations = operations.map((operation) => ({ ...operation, entity: true }));
        const api = new Api(
          apiData({
            services: names.map((service) => serviceData({ name: service, operations, entityOperations })),
          }),
        );
        const ids = new OperationIds();
        const assigned = api
          .getServices()
          .flatMap((service) =>
            [...service.getOperations(), ...service.getEntityOperations()].map((operation) =>
              ids.next(api, service, operation, service.getPaths(operation)[0]!),
            ),
          );
        expect(new Set(assigned).size).toBe(names.length * 10);
        for (const id of assigned) expect(id).toMatch(/^[A-Za-z]\w*$/);
      }),
    );
  });
});
