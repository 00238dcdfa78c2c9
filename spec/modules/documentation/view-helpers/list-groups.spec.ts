import { Operation } from '../../../../src/modules/documentation/model/operation';
import { Service } from '../../../../src/modules/documentation/model/service';
import {
  docAcceptHeaders,
  docContentTypeHeaders,
  docStatusCodes,
} from '../../../../src/modules/documentation/view-helpers/list-groups';
import { operationData, serviceData } from '../../../fixtures/documentation';

describe('docAcceptHeaders and docContentTypeHeaders', () => {
  it('return a list-group item for each media type', () => {
    const service = new Service(
      serviceData({ requestAcceptTypes: ['a/b', 'c/d'], requestContentTypes: ['e/f'] }),
    );
    expect(docAcceptHeaders(service)).toBe(
      '<li class="list-group-item">a/b</li>\n<li class="list-group-item">c/d</li>',
    );
    expect(docContentTypeHeaders(service)).toBe('<li class="list-group-item">e/f</li>');
  });

  it('escape media types', () => {
    const service = new Service(
      serviceData({ requestAcceptTypes: [`<i>"&'`], requestContentTypes: ['<b>'] }),
    );
    expect(docAcceptHeaders(service)).toBe('<li class="list-group-item">&lt;i&gt;&quot;&amp;&#39;</li>');
    expect(docContentTypeHeaders(service)).toContain('&lt;b&gt;');
  });
});

describe('docStatusCodes', () => {
  it('returns a list group of codes and escaped reason phrases', () => {
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
