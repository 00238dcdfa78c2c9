import { basicTable, useBench } from './bench';
import { targets } from './guarded-platform';

const TOKEN = 'Z3VpZGU6ZXhwbG9yZQ==';
const RIGHT = `Basic ${TOKEN}`;

describe('the grammar of Basic credentials (RFC 7617, 2; RFC 9110, 11.4)', () => {
  const bench = useBench();

  describe('the scheme', () => {
    basicTable(bench, [
      ['the usual form', 'is accepted', RIGHT],
      ['a scheme in lower case', 'is accepted', `basic ${TOKEN}`],
      ['a scheme in upper case', 'is accepted', `BASIC ${TOKEN}`],
      ['a scheme in mixed case', 'is accepted', `bAsIc ${TOKEN}`],
      ['a longer scheme', 'is rejected', `Basics ${TOKEN}`],
      ['a shorter scheme', 'is rejected', `Basi ${TOKEN}`],
      ['a scheme with a look-alike letter', 'is rejected', `B\xe4sic ${TOKEN}`],
      ['a scheme in quotes', 'is rejected', `"Basic" ${TOKEN}`],
      ['no scheme', 'is rejected', TOKEN],
      ['a scheme after its token', 'is rejected', `${TOKEN} Basic`],
      ['the scheme twice', 'is rejected', `Basic Basic ${TOKEN}`],
      ['the header name repeated', 'is rejected', `Authorization: ${RIGHT}`],
      ['Bearer', 'is rejected', `Bearer ${TOKEN}`],
      ['Negotiate', 'is rejected', `Negotiate ${TOKEN}`],
      ['Digest before a token', 'is rejected', `Digest ${TOKEN}`],
      ['an unknown scheme', 'is rejected', `!#$%&'*+-.^_\`|~ ${TOKEN}`],
    ]);
  });

  describe('whitespace', () => {
    basicTable(bench, [
      ['a double space', 'is accepted', `Basic  ${TOKEN}`],
      ['a run of fifty spaces', 'is accepted', `Basic${' '.repeat(50)}${TOKEN}`],
      ['a tab after the scheme', 'is rejected', `Basic\t${TOKEN}`],
      ['a space and a tab', 'is rejected', `Basic \t${TOKEN}`],
      ['a no-break space', 'is rejected', `Basic\xa0${TOKEN}`],
      ['no space', 'is rejected', `Basic${TOKEN}`],
      ['a comma after the scheme', 'is rejected', `Basic,${TOKEN}`],
      ['a colon after the scheme', 'is rejected', `Basic: ${TOKEN}`],
      ['an equals sign after the scheme', 'is rejected', `Basic=${TOKEN}`],
      ['a header with leading spaces', 'is accepted', `   ${RIGHT}`],
      ['a header with leading tabs', 'is accepted', `\t\t${RIGHT}`],
      ['a header with trailing spaces', 'is accepted', `${RIGHT}   `],
      ['a header with trailing tabs', 'is accepted', `${RIGHT}\t\t`],
      ['a space inside the token', 'is rejected', 'Basic Z3VpZGU6 ZXhwbG9yZQ=='],
      ['a tab inside the token', 'is rejected', 'Basic Z3VpZGU6\tZXhwbG9yZQ=='],
      ['a space before the padding', 'is rejected', 'Basic Z3VpZGU6ZXhwbG9yZQ =='],
    ]);
  });

  describe('text after the token68', () => {
    basicTable(bench, [
      ['a word', 'is rejected', `${RIGHT} x`],
      ['a comma', 'is rejected', `${RIGHT},`],
      ['a comma and a space', 'is rejected', `${RIGHT} , `],
      ['a leading comma', 'is rejected', `Basic , ${TOKEN}`],
      ['a semicolon', 'is rejected', `${RIGHT};`],
      ['a parameter', 'is rejected', `${RIGHT}, realm="Atlas"`],
      ['charset', 'is rejected', `${RIGHT}, charset="UTF-8"`],
      ['charset with a space only', 'is rejected', `${RIGHT} charset=UTF-8`],
      ['the same token', 'is rejected', `${RIGHT}, ${TOKEN}`],
      ['the same credentials', 'is rejected', `${RIGHT}, ${RIGHT}`],
      ['wrong credentials', 'is rejected', `${RIGHT}, Basic bm9ib2R5Og==`],
      ['Digest credentials', 'is rejected', `${RIGHT}, Digest username="guide"`],
      ['a comment', 'is rejected', `${RIGHT} (guide)`],
      ['a question mark', 'is rejected', `${RIGHT}?`],
      ['a percent sign', 'is rejected', `${RIGHT}%3D`],
      ['an octet above 127', 'is rejected', `${RIGHT}\xe4`],
    ]);
  });

  describe('invalid token68', () => {
    basicTable(bench, [
      ['a header without octets', 'is rejected', ''],
      ['a header of spaces', 'is rejected', '   '],
      ['a scheme alone', 'is rejected', 'Basic'],
      ['a scheme with trailing spaces', 'is rejected', 'Basic   '],
      ['a list of empty elements', 'is rejected', 'Basic , ,'],
      ['a quoted token', 'is rejected', `Basic "${TOKEN}"`],
      ['a token as a parameter', 'is rejected', 'Basic credentials="Z3VpZGU6ZXhwbG9yZQ=="'],
      ['a user name and password as parameters', 'is rejected', 'Basic username="guide", password="explore"'],
      ['a user name and password in the clear', 'is rejected', 'Basic guide:explore'],
      ['the parameters of a challenge', 'is rejected', 'Basic realm="Atlas", charset="UTF-8"'],
      ['a token in angle brackets', 'is rejected', `Basic <${TOKEN}>`],
    ]);
  });

  describe('octets that are not allowed in a header value', () => {
    basicTable(bench, [
      ['a NUL after the token', 'is a bad request', `${RIGHT}\0`],
      ['a NUL inside the token', 'is a bad request', 'Basic Z3VpZGU6\0ZXhwbG9yZQ=='],
      ['a carriage return', 'is a bad request', 'Basic Z3VpZGU6\rZXhwbG9yZQ=='],
      ['a line feed', 'is a bad request', 'Basic Z3VpZGU6\nZXhwbG9yZQ=='],
      ['a control character', 'is a bad request', `${RIGHT}\x01`],
      ['a DEL', 'is a bad request', `${RIGHT}\x7f`],
    ]);
  });

  describe('more than one header', () => {
    basicTable(bench, [
      ['a header that is repeated', 'is rejected', [RIGHT, RIGHT]],
      ['a wrong header before a right one', 'is rejected', ['Basic bm9ib2R5Og==', RIGHT]],
      ['a right header before a wrong one', 'is rejected', [RIGHT, 'Basic bm9ib2R5Og==']],
      ['an empty header before a right one', 'is rejected', ['', RIGHT]],
      ['a right header before an empty one', 'is rejected', [RIGHT, '']],
      ['a Digest header before a right one', 'is rejected', ['Digest username="guide"', RIGHT]],
      ['a header in two halves', 'is rejected', ['Basic', TOKEN]],
      ['fifty headers', 'is rejected', Array.from({ length: 50 }, () => RIGHT)],
    ]);

    it.each([
      ['in lower case', 'authorization: '],
      ['in upper case', 'AUTHORIZATION:'],
      ['with a tab', 'Authorization:\t'],
    ])('accepts the header name %s', async (_, name) => {
      const answer = await bench().request({ target: targets.basic, fields: [name + RIGHT] });
      bench().expect(answer, 'is accepted');
    });

    it.each([
      ['another header', `Proxy-Authorization: ${RIGHT}`, 401],
      ['a longer name', `X-Authorization: ${RIGHT}`, 401],
      ['a cookie', `Cookie: Authorization=${RIGHT}`, 401],
      ['a name with a trailing space', `Authorization : ${RIGHT}`, 400],
      ['a name with a leading space', ` Authorization: ${RIGHT}`, 400],
      ['a name without colon', `Authorization ${RIGHT}`, 400],
    ])('does not accept credentials from %s', async (_, field, status) => {
      const answer = await bench().request({ target: targets.basic, fields: ['X-First: 1', field] });
      expect(answer.status).toBe(status);
    });
  });
});
