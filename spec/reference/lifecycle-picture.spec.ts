import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { LocalConfiguration } from '../../src/framework';
import { EventListeners } from '../../src/modules/admin/actions/insight/event-listeners';
import { lifecycleOf } from '../../src/modules/admin/actions/lifecycle/lifecycle';
import { ConfigurationChanges } from '../../src/modules/admin/changes/configuration-changes';
import { layoutPicture } from '../../src/modules/admin/pictures/layered-layout';
import { toSvg } from '../../src/modules/admin/pictures/svg';
import { lifecyclePicture } from '../../src/modules/admin/screens/lifecycle/lifecycle-picture';
import { startAdminPlatform, type AdminPlatform } from '../factories/admin/admin';
import { ROOT } from '../factories/platform';
import { setTestTimeout } from '../factories/test-timeout';

setTestTimeout(60);

const FILE = path.join(ROOT, 'docs/images/request-lifecycle.svg');

/** Readable on light and dark pages. */
const STYLE = `svg { --ink: #171a21; --soft: #525a69; --paper: #ffffff; --box: #f5f6f8; --rim: #858d9b; --phase: #e4f1f3; --accent: #0b5c6b; background: var(--paper); }
@media (prefers-color-scheme: dark) { svg { --ink: #e8ebf0; --soft: #a5afbd; --paper: #0f1419; --box: #171d24; --rim: #727e8d; --phase: #12303a; --accent: #7cc7d6; } }
text { fill: var(--ink); font: 14px system-ui, 'Segoe UI', 'Helvetica Neue', Arial, sans-serif; }
.picture-heading, .node-title { font-weight: 600; }
.node-code { font: 12.5px ui-monospace, Menlo, Consolas, monospace; }
.node-detail { fill: var(--soft); font-size: 12px; }
rect { fill: var(--box); stroke: var(--rim); }
.node-phase rect { fill: var(--phase); stroke: var(--accent); }
.edge { fill: none; stroke: var(--rim); stroke-width: 1.5; }`;

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform();
});
afterAll(() => platform.stop());

it('The picture of the request lifecycle in the documentation shows the listeners of the sample', () => {
  const changes = new ConfigurationChanges(platform.host, new LocalConfiguration(platform.root));
  const phases = lifecycleOf(new EventListeners(changes).list());
  const picture = lifecyclePicture(phases, undefined, Infinity);
  const columns = picture.columns.map(({ title, nodes }) => ({
    title,
    // The tables that the page links to are not in the file.
    nodes: nodes.map((node) => ({ ...node, href: undefined })),
  }));
  const size = { columnWidth: 200, columnGap: 30, columnsPerRow: 4 };
  const svg = toSvg(layoutPicture({ ...picture, columns }, size), {
    id: 'lifecycle',
    title: 'Request lifecycle',
    description: 'The phases of a request in order, each with its listeners, their priorities and modules.',
    style: STYLE,
  });
  // WRITE_GOLDEN=1 writes it.
  if (process.env.WRITE_GOLDEN === '1') writeFileSync(FILE, `${svg}\n`);
  expect(readFileSync(FILE, 'utf8')).toBe(`${svg}\n`);
});
