import fc from 'fast-check';
import { layoutPicture } from '../../../../src/modules/admin/pictures/layered-layout';
import type { Picture, PictureNode, PlacedNode } from '../../../../src/modules/admin/pictures/picture';
import { toSvg } from '../../../../src/modules/admin/pictures/svg';
import { ellipsize, textWidth } from '../../../../src/modules/admin/pictures/text-width';
import { elementsOf } from '../../../factories/documents/well-formed';
import { growthOf } from '../../../factories/measure/cpu-time';
import { anyText } from '../../../factories/any-text';

const SIZE = { columnWidth: 184, columnGap: 48, columnsPerRow: 4 };
const STYLE = { size: 14 };
/** Half of a character, or one that XML 1.0 forbids. */
const FORBIDDEN = /\p{Cs}|[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/u;

function node(id: string, more: Partial<PictureNode> = {}): PictureNode {
  return { id, title: id, detail: '', gap: undefined, kind: 'plain', label: id, href: undefined, ...more };
}

const shortText = anyText({ maxLength: 60 });
const anyPicture: fc.Arbitrary<Picture> = fc
  .array(
    fc.array(fc.record({ title: shortText, detail: shortText, gap: fc.option(shortText) }), { maxLength: 8 }),
    {
      minLength: 1,
      maxLength: 8,
    },
  )
  .chain((columns) => {
    const ids = columns.flatMap((nodes, at) => nodes.map((_, one) => `${at}.${one}`));
    const id = ids.length === 0 ? fc.constant('none') : fc.constantFrom(...ids);
    const edges = fc.array(fc.record({ from: id, to: id, kind: fc.constant('plain' as const) }));
    return edges.map((all) => ({
      columns: columns.map((nodes, at) => ({
        title: `Column ${at}`,
        nodes: nodes.map(({ title, detail, gap }, one) =>
          node(`${at}.${one}`, { title, detail, label: title, gap: gap ?? undefined }),
        ),
      })),
      edges: all,
    }));
  });

describe('A text', () => {
  it('that fits is kept, and a longer one ends with an ellipsis', () => {
    expect(ellipsize('Atlas v1', 200, STYLE)).toBe('Atlas v1');
    expect(ellipsize('FrameworkListeners.match and others', 120, STYLE)).toMatch(/^Framework.*…$/);
  });

  it('never becomes wider than its room, nor splits a character', () => {
    fc.assert(
      fc.property(shortText, fc.integer({ min: 20, max: 400 }), (text, width) => {
        const short = ellipsize(text, width, STYLE);
        expect(textWidth(short, STYLE)).toBeLessThanOrEqual(width);
        if (short !== text) expect(text.startsWith(short.slice(0, -1))).toBe(true);
        if (!/\p{Cs}/u.test(text)) expect(short).not.toMatch(/\p{Cs}/u);
      }),
    );
  });
});

describe('The layout', () => {
  it('places columns from left to right, and nodes next to those that lead to them', () => {
    const { columns } = layoutPicture(
      {
        columns: [
          { title: 'API', nodes: [node('a'), node('b'), node('c')] },
          { title: 'Adapter', nodes: [node('x'), node('y')] },
        ],
        edges: [
          { from: 'a', to: 'y', kind: 'plain' },
          { from: 'c', to: 'x', kind: 'plain' },
        ],
      },
      SIZE,
    );
    const [[a, , c], [first, second]] = columns.map(({ nodes }) => nodes) as [PlacedNode[], PlacedNode[]];
    expect([first?.id, first?.y, second?.id, second?.y]).toEqual(['y', a?.y, 'x', c?.y]);
    expect(first?.x).toBe((a?.x ?? 0) + SIZE.columnWidth + SIZE.columnGap);
  });

  it('continues with further columns below', () => {
    const columns = ['1', '2', '3', '4', '5'].map((id) => ({ title: id, nodes: [node(id)] }));
    const picture = layoutPicture({ columns, edges: [{ from: '4', to: '5', kind: 'plain' }] }, SIZE);
    const [first, , , fourth, fifth] = picture.columns.map(({ nodes }) => nodes[0]);
    expect(fifth?.x).toBe(first?.x);
    expect(fifth?.y).toBeGreaterThan((fourth?.y ?? 0) + (fourth?.height ?? 0));
    expect(picture.edges[0]?.path).toMatch(/^M[\d.]+ [\d.]+H/);
  });

  it('keeps any nodes within the picture and apart from each other', () => {
    fc.assert(
      fc.property(anyPicture, (picture) => {
        const { width, height, columns } = layoutPicture(picture, SIZE);
        const nodes = columns.flatMap((column) => column.nodes);
        expect(nodes).toHaveLength(picture.columns.flatMap((column) => column.nodes).length);
        for (const [at, one] of nodes.entries()) {
          expect(one.x).toBeGreaterThanOrEqual(0);
          expect(one.x + one.width).toBeLessThanOrEqual(width);
          expect(one.y + one.height).toBeLessThanOrEqual(height);
          for (const other of nodes.slice(at + 1)) {
            const isApart =
              one.x !== other.x || one.y + one.height <= other.y || other.y + other.height <= one.y;
            expect(isApart).toBe(true);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it('draws many nodes in about linear time', () => {
    const draw = (count: number): string => {
      const nodes = Array.from({ length: count }, (_, at) => node(`a${at}`));
      const others = nodes.map(({ id }) => node(`b${id}`));
      const edges = nodes.map(({ id }) => ({ from: id, to: `b${id}`, kind: 'plain' as const }));
      const columns = [
        { title: 'A', nodes },
        { title: 'B', nodes: others },
      ];
      return toSvg(layoutPicture({ columns, edges }, SIZE), { id: 'p', title: 'P', description: '' });
    };
    // Quadratic time would be 256 times as long.
    expect(growthOf(draw, 60, 960)).toBeLessThan(80);
  });
});

describe('The SVG', () => {
  const texts = { id: 'map', title: 'Access map', description: 'Who may call what.' };

  it('names itself, lists its columns, links its nodes and marks gaps with an icon and words', () => {
    const gap = node('Atlas v1', {
      kind: 'gap',
      gap: 'no adapter',
      label: 'Atlas v1. Gap: no adapter.',
      href: '/apis/Atlas-v1?a=1&b=2',
    });
    const svg = toSvg(layoutPicture({ columns: [{ title: 'API', nodes: [gap] }], edges: [] }, SIZE), texts);
    expect(svg).toContain('role="group" aria-labelledby="map-title" aria-describedby="map-description"');
    expect(svg).toContain('<g role="list" aria-labelledby="map-column-1">');
    expect(svg).toContain(
      '<a class="node node-gap" href="/apis/Atlas-v1?a=1&amp;b=2"><title>Atlas v1. Gap: no adapter.</title>',
    );
    expect(svg).toMatch(/<path class="gap-icon" [^>]*\/><text class="node-gap-text"[^>]*>no adapter<\/text>/);
  });

  it('is well-formed whatever the texts are, and has no styles, scripts or other elements', () => {
    fc.assert(
      fc.property(anyPicture, shortText, (picture, title) => {
        const svg = toSvg(layoutPicture(picture, SIZE), { ...texts, title });
        const allowed = ['svg', 'title', 'desc', 'g', 'a', 'rect', 'path', 'text'];
        expect(elementsOf(svg).filter((name) => !allowed.includes(name))).toEqual([]);
        expect(svg).not.toMatch(FORBIDDEN);
        expect(svg).not.toContain(' style=');
      }),
      { numRuns: 50 },
    );
  });
});
