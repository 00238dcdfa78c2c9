// Sends requests with random forwarding fields that claim another address, scheme, host and prefix: directly, and with
// the fields that trusted proxies append. The service must never believe a claim, nor log it. Exits with 1 otherwise.
//
// node reliability/edge/forwarding.mjs [REQUESTS]
import { rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { amountOf, Report } from '../service/report.mjs';
import { startServer } from '../service/server.mjs';
import { makeEchoProject } from './project.mjs';

const requests = amountOf(process.argv[2] ?? '20000', 'forwarding', 'requests');
const report = new Report();
const pick = (list) => list[Math.floor(Math.random() * list.length)];

/** Addresses that no client of this test has. */
const SPOOFED = ['6.6.6.6', '[2001:db8::666]', '[2001:db8::666]:1', '6.6.6.6:80', '10.6.6.6', '127.0.0.66'];
const node = () => pick([...SPOOFED, 'unknown', '_hidden', 'localhost', '', '0x7f000066', '::ffff:6.6.6.6']);
const list = (make) =>
  Array.from({ length: 1 + Math.floor(Math.random() * 3) }, make).join(pick([',', ', ', ' ,']));
const quoted = (text) => `"${text}"`;
const element = () =>
  pick([
    () => `for=${quoted(node())};host=evil.example;proto=https`,
    () => `For=${quoted(node())};by=${quoted(node())}`,
    () => 'host=evil.example;proto=https',
    () => 'for="',
    () => 'for=6.6.6.6;for=6.6.6.6',
    () => ';',
    () => 'for=6.6.6.6;ext="',
  ])();

/** Fields of a client that claims to be another client. */
function claims() {
  const all = {
    'X-Forwarded-For': list(node),
    'X-Forwarded-Proto': list(() => 'https'),
    'X-Forwarded-Host': list(() => 'evil.example'),
    'X-Forwarded-Prefix': list(() => '/evil'),
    'X-Forwarded-Port': '666',
    'X-Real-IP': '6.6.6.6',
    'True-Client-IP': '6.6.6.6',
    'CF-Connecting-IP': '6.6.6.6',
    'Client-IP': '6.6.6.6',
    'X-Client-IP': '6.6.6.6',
    'X-Original-Host': 'evil.example',
    'X-Host': 'evil.example',
    Forwarded: list(element),
  };
  return Object.fromEntries(Object.entries(all).filter(() => Math.random() < 0.6));
}

const EXTENSIONS = ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host', 'x-forwarded-prefix'];
const CLIENT = '192.0.2.7';

/** What proxies append to the fields of the client, from the outermost to the innermost. */
const append = (fields, name, values) => [fields[name] ?? [], values].flat().join(', ');

/** The settings of each service, what the proxies in front send, and the client that the service must see. */
const SETUPS = {
  'without trusted proxies': {
    settings: {},
    forward: (fields) => fields,
    client: { address: '127.0.0.1', scheme: 'http', host: 'api.example' },
  },
  'with other trusted proxies': {
    settings: { trust_proxy: ['10.0.0.0/8'], forwarding_fields: EXTENSIONS },
    forward: (fields) => fields,
    client: { address: '127.0.0.1', scheme: 'http', host: 'api.example' },
  },
  'behind two proxies with X-Forwarded fields': {
    settings: { trust_proxy: ['127.0.0.1', '10.0.0.2'], forwarding_fields: EXTENSIONS },
    forward: (fields) => ({
      ...fields,
      'X-Forwarded-For': append(fields, 'X-Forwarded-For', [CLIENT, '10.0.0.2']),
      'X-Forwarded-Proto': append(fields, 'X-Forwarded-Proto', ['http', 'http']),
      'X-Forwarded-Host': append(fields, 'X-Forwarded-Host', ['public.example', 'inner.example']),
      'X-Forwarded-Prefix': append(fields, 'X-Forwarded-Prefix', ['/gw', '/']),
    }),
    client: { address: CLIENT, scheme: 'http', host: 'public.example' },
  },
  'behind a proxy with Forwarded': {
    settings: { trust_proxy: 1, forwarding_fields: ['forwarded'] },
    forward: (fields) => ({
      ...fields,
      // As a line of its own, like HAProxy; a malformed line before it cannot hide it.
      Forwarded: [fields.Forwarded ?? [], `for=${CLIENT};host=public.example;proto=http`].flat(),
    }),
    client: { address: CLIENT, scheme: 'http', host: 'public.example' },
  },
};

function get(port, headers, agent) {
  return new Promise((resolve, reject) => {
    const options = {
      host: '127.0.0.1',
      port,
      path: '/echo',
      headers: { Host: 'api.example', ...headers },
      agent,
    };
    const outgoing = request(options, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += chunk));
      response.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end();
  });
}

const counts = [];
for (const [name, { settings, forward, client }] of Object.entries(SETUPS)) {
  const folder = makeEchoProject(settings, { 'platform-operations': { access_log: { enabled: true } } });
  const server = await startServer(folder);
  const { port } = new URL(server.origin);
  const expected = JSON.stringify(client);
  let logged = 0;
  let rest = '';
  server.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop();
    for (const line of lines) {
      if (!line.startsWith('{"level":30')) continue;
      logged++;
      const { address } = JSON.parse(line);
      report.check(address === client.address, `${name}: logged ${address}`);
    }
  });
  const agent = new Agent({ keepAlive: true, maxSockets: 8 });
  let left = Math.ceil(requests / Object.keys(SETUPS).length);
  const count = left;
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (left-- > 0) {
        const fields = claims();
        const text = await get(port, forward(fields), agent).catch((error) => error.message);
        const { address, scheme, host } = text.startsWith('{') ? JSON.parse(text) : {};
        const seen = JSON.stringify({ address, scheme, host });
        report.check(seen === expected, `${name}: ${JSON.stringify(fields)}: ${text}`);
      }
    }),
  );
  agent.destroy();
  await server.stop('SIGTERM');
  report.check(logged === count, `${name}: ${logged} of ${count} requests were logged`);
  rmSync(folder, { recursive: true, force: true });
  counts.push(`${count} ${name}`);
}
report.say(`requests with spoofed fields: ${counts.join(', ')}`);
report.end('spoofed fields that were believed');
