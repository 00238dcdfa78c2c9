import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { REPLACEMENTS } from './replacements';
import { sourceTexts } from './source-texts';

const ROOT = path.resolve(__dirname, '..', '..');

const DOCUMENTS: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...filesIn('docs', /\.(md|json)$/),
  'examples/issue-tracker/README.md',
];

/** The folders whose comments, messages and test titles are read. */
const SOURCES: readonly string[] = [
  'src',
  'spec',
  'scripts',
  'contract',
  'bench',
  'reliability',
  'examples/issue-tracker/src',
  'examples/issue-tracker/public',
];

function filesIn(folder: string, names: RegExp): readonly string[] {
  return readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name) && !name.includes('node_modules'))
    .sort()
    .map((name) => `${folder}/${name}`);
}

function read(file: string): string {
  return readFileSync(path.join(ROOT, file), 'utf8');
}

/** Returns `file:line: "wording". Write: replacement` for each match in a text. */
function findingsIn(file: string, text: string): readonly string[] {
  return text.split('\n').flatMap((line, at) =>
    (line === '' ? [] : REPLACEMENTS).flatMap(([wording, replacement]) => {
      const match = wording.exec(line);
      return match === null ? [] : [`${file}:${at + 1}: "${match[0]}". Write: ${replacement}`];
    }),
  );
}

/** Blanks comments and class names of a Nunjucks template, but keeps its lines. */
function textOf(template: string): string {
  return template
    .replace(/\{#[\s\S]*?#\}/g, (comment) => comment.replace(/[^\n]/g, ''))
    .replace(/\bclass="[^"]*"/g, '');
}

/** Blanks code, but keeps comments, messages and lines. A literal without white space is a name, not a message. */
function textOfSource(source: string): string {
  let [text, end] = ['', 0];
  for (const { text: own, start } of sourceTexts(source)) {
    if (!/\s/.test(own)) continue;
    text += source.slice(end, start).replace(/[^\n]+/g, '') + own;
    end = start + own.length;
  }
  return text;
}

describe('the vocabulary', () => {
  it.each(DOCUMENTS)('uses the standard terms in %s', (file) => {
    expect(findingsIn(file, read(file))).toEqual([]);
  });

  it('uses the standard terms in the templates', () => {
    const files = filesIn('templates', /\.njk$/);
    expect(files.flatMap((file) => findingsIn(file, textOf(read(file))))).toEqual([]);
  });

  it.each(SOURCES)('uses the standard terms in the comments, messages and titles of %s', (folder) => {
    const files = filesIn(folder, /\.[cm]?[jt]s$/).filter((file) => !file.startsWith('spec/vocabulary'));
    expect(files.flatMap((file) => findingsIn(file, textOfSource(read(file))))).toEqual([]);
  });

  it('reports file, line and replacement', () => {
    expect(findingsIn('docs/wrong.md', 'Fine.\nThe configuration is in force.\n')).toEqual([
      'docs/wrong.md:2: "in force". Write: active; effective; takes effect',
    ]);
  });

  it.each([
    ['a comment', '\n// This is in force.\nconst a = 1;', 2],
    ['a string', "const a = 1;\nconst b = 'It is in force.';", 2],
    ['a template literal', '\n\nconst a = `${{ b: `${c}` }} is in force`;', 3],
    ['the text after a regular expression', "const a = /'/;\nconst b = 'It is in force.';", 2],
  ])('reads %s', (_, source, line) => {
    expect(findingsIn('src/wrong.ts', textOfSource(source))).toEqual([
      `src/wrong.ts:${line}: "in force". Write: active; effective; takes effect`,
    ]);
  });

  it('ignores names, and other code', () => {
    expect(findingsIn('src/right.ts', textOfSource("const told = 'told';\nconst wish = told / 2;"))).toEqual(
      [],
    );
  });
});
