import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { crawlSite } from '../../../src/command-line/docs/site';
import { sampleAuthentication, startTestPlatform } from '../../factories/platform';

describe('the documentation as static files', () => {
  it('may have links whose percent-encoding is invalid', async () => {
    const guide = '# Start\n\n[One](/platform/guides/%FF) and [another](/platform/documentation/%FF).';
    const platform = await startTestPlatform({
      files: { 'guides/start.md': guide },
      local: { ...sampleAuthentication, 'platform-documentation': { guides: 'guides' } },
    });
    try {
      const site = await crawlSite(platform.origin);
      expect(String(site.get('guides/start/index.html'))).toContain('another');
    } finally {
      await platform.stop();
    }
  });

  it('may have pages with more links than a call has arguments', async () => {
    const links = '<a href="/platform/documentation">x</a>'.repeat(130_000);
    const server = createServer(({ headers }, response) => {
      const isPage = headers.accept?.startsWith('text/html');
      response.setHeader('Content-Type', isPage ? 'text/html' : 'application/json');
      response.end(isPage ? links : '[]');
    }).listen(0, '127.0.0.1');
    try {
      await once(server, 'listening');
      const site = await crawlSite(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      expect([...site.keys()]).toEqual(['index.html']);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
