import { Api } from '../../../../src/modules/documentation/model/api';
import { accessSummary } from '../../../../src/modules/documentation/view-helpers/access';
import { apiData, operationData, serviceData } from '../../../fixtures/documentation';

const open = operationData({ requiresAuthorization: false, adapters: [] });
const optional = operationData({ requiresAuthorization: false, adapters: ['people'] });
const closed = operationData({ requiresAuthorization: true, adapters: ['people'] });
const unreachable = operationData({ requiresAuthorization: true, adapters: [] });

it.each([
  [[], 'No operations yet.'],
  [[open], 'All operations are public.'],
  [[closed], 'The only operation requires authentication.'],
  [[closed, closed], 'All 2 operations require authentication.'],
  [[closed, open], '1 of 2 operations requires authentication.'],
  [[optional, optional], 'Authentication is optional for all operations.'],
  [
    [closed, closed, optional],
    '2 of 3 operations require authentication; authentication is optional for 1 of 3 operations.',
  ],
  [[unreachable, open], '1 of 2 operations requires authentication; no adapter is configured for these.'],
  [
    [unreachable, closed, open],
    '2 of 3 operations require authentication; no adapter is configured for 1 of these.',
  ],
])('summarizes the access rules of the operations of an API (%#)', (operations, words) => {
  expect(
    accessSummary(new Api(apiData({ services: [serviceData({ operations, entityOperations: [] })] }))),
  ).toBe(words);
});
