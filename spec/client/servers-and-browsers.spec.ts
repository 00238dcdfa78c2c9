import { chmod, writeFile } from 'node:fs/promises';
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { startApache, type ApacheHttpd } from '../clients/apache/apache-httpd';
import { REALM } from '../clients/challenges';
import { launchBrowser } from '../factories/browser/browser';
import { CLIENT_FILE, runClient } from '../factories/processes/client-program';
import { withPrograms } from '../factories/processes/programs';

const programs = withPrograms('apache2', 'chromium');

programs.describe('createFetch with Apache httpd', () => {
  let apache: ApacheHttpd;
  beforeAll(async () => {
    apache = await startApache();
    const md5 = createHash('md5').update(`guide:${REALM}:explore`).digest('hex');
    const sha1 = createHash('sha1').update('explore').digest('base64');
    await writeFile(apache.htdigest, `guide:${REALM}:${md5}\n`);
    await writeFile(apache.htpasswd, `guide:{SHA}${sha1}\n`);
    for (const file of [apache.htdigest, apache.htpasswd]) await chmod(file, 0o644);
  }, 20_000);
  afterAll(() => apache.stop());

  it.each(['basic', 'digest'])('signs in with %s', async (scheme) => {
    const program = `
      const fetch = createFetch({ username: 'guide', password: 'explore' });
      for (const target of ['secret', 'secret?a=1', 'secret']) {
        const response = await fetch(origin + '/${scheme}/' + target);
        print(response.status, await response.text());
      }
      const wrong = createFetch({ username: 'guide', password: 'wrong' });
      print((await wrong(origin + '/${scheme}/secret')).status);`;
    const found = [200, 'what Apache guards'];
    expect(await runClient(apache.origin, program)).toEqual([found, found, found, [401]]);
  });
});

programs.describe('createFetch in a browser', () => {
  it('signs in with Digest, without a dialog', async () => {
    const server = createServer((message, response) => {
      if (message.url === '/client.mjs')
        response.writeHead(200, { 'Content-Type': 'text/javascript' }).end(readFileSync(CLIENT_FILE));
      else if (message.url === '/')
        response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>');
      else if (message.headers.authorization === undefined)
        response
          .writeHead(401, { 'WWW-Authenticate': 'Digest realm="r", nonce="n", qop="auth", algorithm=MD5' })
          .end();
      else response.end(message.headers.authorization);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    // A server that listens on a port has an AddressInfo.
    const { port } = server.address() as AddressInfo;
    const browser = await launchBrowser();
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${port}/`);
    const sent = await page.evaluate(`import('/client.mjs').then(async ({ createFetch }) => {
      const fetch = createFetch({ username: 'u', password: 'p' });
      const texts = [];
      for (const target of ['/a?b=1', '/c']) texts.push(await (await fetch(target)).text());
      return texts;
    })`);
    expect(sent).toEqual([
      expect.stringMatching(/uri="\/a\?b=1".* nc=00000001/),
      expect.stringMatching(/uri="\/c".* nc=00000002/),
    ]);
    await browser.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
