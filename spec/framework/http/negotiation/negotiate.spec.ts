import { negotiate } from '../../../../src/framework';

const JSON_TYPE = 'application/json';
const HTML = 'text/html';
const VENDOR = 'application/vnd.apidesc+json';
const DOCS = [JSON_TYPE, HTML, VENDOR];
const PROBLEM = 'application/problem+json';

type Row = readonly [accept: string | undefined, offers: readonly string[], answer: string | undefined];

function itChooses(rows: readonly Row[]): void {
  it.each(rows)('%j with the offers %j chooses %j', (accept, offers, answer) => {
    expect(negotiate(accept, offers)).toBe(answer);
  });
}

describe('Without any range', () => {
  itChooses([
    [undefined, DOCS, JSON_TYPE],
    ['', DOCS, JSON_TYPE],
    ['  ', DOCS, JSON_TYPE],
    [',', DOCS, JSON_TYPE],
    [' ,\t,, ', DOCS, JSON_TYPE],
    ['","', DOCS, undefined],
    [';', DOCS, undefined],
    ['*/*', DOCS, JSON_TYPE],
    ['*/*;q=0.1', DOCS, JSON_TYPE],
    ['*/*', [], undefined],
    [undefined, [], undefined],
  ]);
});

describe('A refused range with parameters', () => {
  itChooses([
    ['application/json;version=2;q=0, */*', [JSON_TYPE], JSON_TYPE],
    ['application/json;version=2;q=0', [JSON_TYPE], undefined],
    ['application/json;version=2;q=0, */*', ['application/json;version=2', HTML], HTML],
    ['application/json;version=2', [JSON_TYPE], JSON_TYPE],
  ]);
});

describe('A media type', () => {
  itChooses([
    [JSON_TYPE, DOCS, JSON_TYPE],
    [HTML, DOCS, HTML],
    [VENDOR, DOCS, VENDOR],
    ['image/png', DOCS, undefined],
    ['application/xml, image/png', DOCS, undefined],
    ['image/png, text/html', DOCS, HTML],
    ['text/htm', DOCS, undefined],
    ['application/vnd.apidesc+jso', DOCS, undefined],
    ['TEXT/HTML', DOCS, HTML],
    ['Application/VND.Apidesc+JSON', DOCS, VENDOR],
    ['application/json', ['Application/JSON'], 'Application/JSON'],
    ['\ttext/html  ', DOCS, HTML],
    ['image/png,,, text/html,', DOCS, HTML],
  ]);
});

describe('A range', () => {
  itChooses([
    ['text/*', DOCS, HTML],
    ['application/*', DOCS, JSON_TYPE],
    ['image/*', DOCS, undefined],
    ['text/*, application/*', DOCS, HTML],
    ['application/*+json', DOCS, JSON_TYPE],
    ['application/*+json', [HTML, VENDOR], VENDOR],
    ['application/*+json', [PROBLEM], PROBLEM],
    ['application/*+json', ['application/hal+xml'], undefined],
    ['text/*+json', DOCS, undefined],
    ['application/*+json;q=0.9, text/html', DOCS, HTML],
    ['application/*+json, application/json;q=0', DOCS, VENDOR],
    ['*/json', DOCS, undefined],
  ]);
});

describe('A weight', () => {
  itChooses([
    ['application/json;q=0.5, text/html', DOCS, HTML],
    ['application/json;q=0.5, text/html;q=0.4', DOCS, JSON_TYPE],
    ['text/html;q=0.001, application/json;q=0.002', DOCS, JSON_TYPE],
    ['application/json;Q=0.1, text/html;Q=0.2', DOCS, HTML],
    ['application/json ; q=0.1 , text/html ; q=0.2', DOCS, HTML],
    ['text/html;q=1.000, application/json;q=0.999', DOCS, HTML],
    ['application/json;q=0.5, text/html;q=0.5', DOCS, JSON_TYPE],
    ['text/html;q=0.5, application/json;q=0.5', DOCS, HTML],
    ['text/html, application/json', DOCS, HTML],
    ['text/html;q=0.9, */*;q=0.8', DOCS, HTML],
    ['*/*;q=0.9, text/html;q=0.8', DOCS, JSON_TYPE],
    ['*/*;q=0.9, text/html;q=0.8', [HTML], HTML],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', DOCS, HTML],
    ['text/html, image/gif, image/jpeg, *; q=.2, */*; q=.2', [JSON_TYPE], JSON_TYPE],
    ['application/json;q=.9, text/html;q=.95', DOCS, HTML],
    ['application/json;q=0.33333, text/html;q=0.33334', DOCS, HTML],
    ['text/html;q=0., application/json;q=1.', DOCS, JSON_TYPE],
    ['text/html;q=., application/json;q=0.1', DOCS, JSON_TYPE],
    ['text/html;q=1.5, application/json;q=0.1', DOCS, JSON_TYPE],
    ['text/html;q=2, application/json;q=0.1', DOCS, JSON_TYPE],
    ['text/html;q=-1, application/json;q=0.1', DOCS, JSON_TYPE],
    ['text/html;q=high, application/json;q=0.1', DOCS, JSON_TYPE],
    ['text/html;q=, application/json;q=0.1', DOCS, JSON_TYPE],
  ]);
});

describe('A weight of zero', () => {
  itChooses([
    ['application/json;q=0', [JSON_TYPE], undefined],
    ['application/json;q=0, */*', DOCS, HTML],
    ['application/json;q=0.000, */*', DOCS, HTML],
    ['*/*, application/json;q=0', DOCS, HTML],
    ['*/*;q=0', DOCS, undefined],
    ['*/*;q=0, text/html', DOCS, HTML],
    ['text/*;q=0, text/html', DOCS, HTML],
    ['text/html;q=0, text/*', DOCS, undefined],
    ['application/*;q=0, */*', DOCS, HTML],
  ]);
});

describe('Parameters', () => {
  itChooses([
    ['text/html;level=1', DOCS, HTML],
    ['application/json; charset=utf-8', DOCS, JSON_TYPE],
    [
      'application/json;charset="utf-8"',
      ['application/json; charset=UTF-8'],
      'application/json; charset=UTF-8',
    ],
    ['text/html;level=1', ['text/html;level=2'], undefined],
    ['text/html;level=2', ['text/html;level=1', 'text/html;level=2'], 'text/html;level=2'],
    ['text/html', ['text/html; charset=utf-8'], 'text/html; charset=utf-8'],
    ['text/html;level=1;q=0.1, application/json;q=0.5', DOCS, JSON_TYPE],
    ['text/html;level=1;q=0, text/html', DOCS, HTML],
    ['text/html;a="x,y;z"', DOCS, HTML],
    ['text/html;a="x\\",y", image/png', DOCS, HTML],
    ['text/html;level', DOCS, undefined],
    ['text/html;', DOCS, HTML],
    ['text/html;q=0.5;ext=1', DOCS, HTML],
  ]);
});

describe('The examples of RFC 9110, 12.5.1', () => {
  const audio = 'audio/*; q=0.2, audio/basic';
  const elaborate = 'text/plain; q=0.5, text/html, text/x-dvi; q=0.8, text/x-c';
  const specific = 'text/*, text/plain, text/plain;format=flowed, */*';
  const weighted =
    'text/*;q=0.3, text/plain;q=0.7, text/plain;format=flowed, text/plain;format=fixed;q=0.4, */*;q=0.5';
  itChooses([
    [audio, ['audio/mpeg', 'audio/basic'], 'audio/basic'],
    [audio, ['audio/mpeg'], 'audio/mpeg'],
    [audio, ['text/plain'], undefined],
    [elaborate, ['text/plain', 'text/x-dvi', 'text/html'], HTML],
    [elaborate, ['text/plain', 'text/x-dvi', 'text/x-c'], 'text/x-c'],
    [elaborate, ['text/plain', 'text/x-dvi'], 'text/x-dvi'],
    [elaborate, ['text/plain'], 'text/plain'],
    [specific, ['image/png', 'text/html', 'text/plain'], 'text/plain'],
    [specific, ['text/plain', 'text/plain;format=flowed'], 'text/plain;format=flowed'],
    [weighted, ['text/plain', 'text/plain;format=flowed'], 'text/plain;format=flowed'],
    [weighted, ['image/jpeg', 'text/plain'], 'text/plain'],
    [weighted, ['text/html', 'image/jpeg'], 'image/jpeg'],
    [weighted, ['text/plain;format=fixed', 'image/jpeg'], 'image/jpeg'],
    [weighted, ['text/html', 'text/plain;format=fixed'], 'text/plain;format=fixed'],
    [weighted, ['text/plain;format=fixed', 'text/plain'], 'text/plain'],
  ]);
});

describe('A malformed Accept field', () => {
  itChooses([
    ['json', DOCS, undefined],
    [';', DOCS, undefined],
    ['text/html/x', DOCS, undefined],
    ['/', DOCS, undefined],
    ['text /html', DOCS, undefined],
    ['"text/html"', DOCS, undefined],
    ['nonsense, text/html', DOCS, HTML],
  ]);
});

it('finds the most specific range after thousands of others that match', () => {
  expect(negotiate(`${'*/*;q=0.1, '.repeat(2_000)}text/html`, ['application/json', 'text/html'])).toBe(
    'text/html',
  );
});
