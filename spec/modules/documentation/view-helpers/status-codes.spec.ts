import { Operation } from '../../../../src/modules/documentation/model/operation';
import { docStatusCodes } from '../../../../src/modules/documentation/view-helpers/status-codes';
import { operationData } from '../../../fixtures/documentation';

describe('docStatusCodes', () => {
  it('gives a list group of codes and escaped reason phrases', () => {
    const operation = new Operation(
      operationData({
        responseStatusCodes: [
          { code: 200, message: 'OK' },
          { code: 404, message: '<Not> Found' },
        ],
      }),
    );
    expect(docStatusCodes(operation)).toBe(
      '<ul class="list-group">\n<li class="list-group-item">200 OK</li>\n' +
        '<li class="list-group-item">404 &lt;Not&gt; Found</li>\n</ul>',
    );
  });
});
