import { rmSync } from 'node:fs';
import path from 'node:path';
import { WITH_ADMIN } from '../factories/admin/admin';
import { makeProject, ROOT, sampleAuthentication } from '../factories/platform';
import { CLI, run } from '../factories/processes/processes';

// A resource that responds when it has been started, and an operation that never ends.
const SHOP = `
import platform from ${JSON.stringify(path.join(ROOT, 'dist/platform.js'))};
const { defineApi, defineRestService, defineRpcService, defineProcedure, Type } = platform;
let isReady = false;
const Order = defineRestService({
  route: '/orders[/:order_id]', route_identifier_name: 'order_id',
  fields: Type.Object({ order_id: Type.String() }), collection: { GET: {} },
  resource: {
    async onStart() { await new Promise((done) => setTimeout(done, 50)); isReady = true; console.log('started'); },
    onStop() { console.log('stopped'); },
    fetchAll() { if (!isReady) throw new Error('not ready'); return []; },
  },
});
const Ticks = defineRpcService({ route: '/ticks', methods: { GET: defineProcedure({
  stream: ['application/x-ndjson', 'text/event-stream'],
  async *handler() { for (;;) { yield { id: 1 }; await new Promise((done) => setTimeout(done, 20)); } },
}) } });
export default { name: 'shop', requires: ['hosting'],
  apis: [defineApi({ name: 'Shop', versions: { 1: { services: { Order, Ticks } } } })] };
`;

let root: string;
beforeAll(() => {
  const modules = [...WITH_ADMIN, './shop.mjs'];
  root = makeProject({ modules, local: sampleAuthentication, files: { 'shop.mjs': SHOP } });
});
afterAll(() => rmSync(root, { recursive: true }));

const platform = (...words: readonly string[]) => run(process.execPath, [CLI, ...words, '--root', root]);

describe('The resources of a project', () => {
  it.each([
    ['revision', 'list'],
    ['adapter', 'list'],
    ['docs', 'export', 'site'],
  ])('are not started by the command %s %s', async (...words) => {
    const target = words.map((word) => (word === 'site' ? path.join(root, 'site') : word));
    const { code, output } = await platform(...target);
    expect(output).not.toMatch(/started|stopped/);
    expect(code).toBe(0);
  });

  it('are started by docs check, which serves requests, and does not wait for the end of a stream', async () => {
    const { code, output } = await platform('docs', 'check');
    expect(output).toMatch(/^started\n[^]*operations called, no difference\.\nstopped\n$/);
    expect(code).toBe(0);
  });
});
