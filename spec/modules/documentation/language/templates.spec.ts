import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { en } from '../../../../src/modules/documentation/language/en';

const TEMPLATES = path.join(__dirname, '../../../../templates');
const files = ['platform', 'platform-documentation'].flatMap((folder) =>
  readdirSync(path.join(TEMPLATES, folder)).map((file) => path.join(folder, file)),
);
const read = (file: string): string =>
  readFileSync(path.join(TEMPLATES, file), 'utf8').replace(/\{#[^]*?#\}|\{% block page %\}.*/g, '');

/** Names that are the same in every language: headers, methods, formats and the prefix of versions. */
const NAMES = /\b(Accept|Allow|Content-Type|JSON|Markdown|OpenAPI|OPTIONS|Swagger|YAML|v)\b/g;

/** Attributes that readers see or hear. */
const ATTRIBUTES = /\b(?:aria-label|alt|placeholder|title|data-tabs)="([^"]*)"/g;

/** Returns the words of a template that are neither code nor messages. */
function wordsIn(source: string): readonly string[] {
  // Strings in expressions that look like a text, in contrast to keys and paths.
  const strings = [...source.matchAll(/\{[{%]([^]*?)[}%]\}/g)].flatMap(([, code = '']) =>
    [...code.matchAll(/'([^']*)'|"([^"]*)"/g)].map(([, one, other]) => one ?? other ?? ''),
  );
  const markup = source.replace(/\{[{%][^]*?[}%]\}/g, ' ');
  const attributes = [...markup.matchAll(ATTRIBUTES)].map(([, value = '']) => value);
  const texts = markup
    .replace(/<!doctype html>/, '')
    .replace(/<[^>]*>/g, '\n')
    .split('\n');
  return [
    ...[...attributes, ...texts].map((text) => text.replace(NAMES, '')).filter((text) => /\p{L}/u.test(text)),
    ...strings
      .map((text) => text.replace(NAMES, ''))
      .filter((text) => /^[A-Z][a-z]+( |$)|[a-z] [a-z]/.test(text)),
  ].map((text) => text.trim());
}

/** The keys of messages that a template uses; a trailing dot for those with an expression. */
const keysIn = (source: string): readonly string[] =>
  [...source.matchAll(/\bt\('([^']+)'/g)].map(([, key = '']) => key);

describe('the templates of pages', () => {
  it.each(files)('%s contains no text: all of it is in the message catalogue', (file) => {
    expect(wordsIn(read(file))).toEqual([]);
  });

  it('use messages that exist', () => {
    const keys = Object.keys(en);
    const unknown = files.flatMap((file) =>
      keysIn(read(file)).filter(
        (key) => !keys.some((one) => one === key || (key.endsWith('.') && one.startsWith(key))),
      ),
    );
    expect(unknown).toEqual([]);
  });

  it('use every message, except for those of schemas and summaries', () => {
    const used = files.flatMap((file) => keysIn(read(file)));
    const inCode = /^(constraint|type|summary|size)\./;
    const unused = Object.keys(en).filter(
      (key) =>
        !inCode.test(key) && !used.some((one) => one === key || (one.endsWith('.') && key.startsWith(one))),
    );
    expect(unused).toEqual([]);
  });
});

describe('the search for texts in templates', () => {
  it('finds text, attributes and strings in expressions', () => {
    expect(wordsIn('<p>Hello {{ name }}</p>')).toEqual(['Hello']);
    expect(wordsIn('<a aria-label="All {{ x }}">{{ name }}</a>')).toEqual(['All']);
    expect(wordsIn("{{ 'Other' if x else 'and more' }}")).toEqual(['Other', 'and more']);
    expect(wordsIn("<dt>Accept</dt>{{ t('list.title') }} v{{ version }}")).toEqual([]);
  });
});
