import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { DOCUMENTS } from '../factories/documents/documents';
import { ROOT } from '../factories/platform';

/** The text of a document without its code, in which brackets have another meaning. */
function proseOf(document: string): string {
  return readFileSync(path.join(ROOT, document), 'utf8')
    .replace(/^```[^]*?^```$/gm, '')
    .replace(/`[^`\n]*`/g, (code) => (code.includes('](') ? '' : code));
}

/** The anchors of the headings of a document, as GitHub and the pages of the platform write them. */
function anchorsOf(document: string): readonly string[] {
  const text = readFileSync(path.join(ROOT, document), 'utf8').replace(/^```[^]*?^```$/gm, '');
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}

/** The links of a document to files and headings that do not exist. */
function brokenLinks(document: string): readonly string[] {
  const links = [...proseOf(document).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => {
    if (/^(https?|mailto):/.test(link)) return false;
    const [file = '', anchor] = link.split('#');
    const target = file === '' ? document : path.posix.join(path.posix.dirname(document), file);
    if (!existsSync(path.join(ROOT, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).includes(anchor);
  });
}

describe('the links of documents', () => {
  it.each([...DOCUMENTS, 'CHANGELOG.md', 'CONTRIBUTING.md'])(
    'of %s lead to files and headings that exist',
    (document) => {
      expect(brokenLinks(document)).toEqual([]);
    },
  );
});
