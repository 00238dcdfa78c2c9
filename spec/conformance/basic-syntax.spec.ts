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
      ['a longer scheme', 'is refused', `Basics ${TOKEN}`],
      ['a shorter scheme', 'is refused', `Basi ${TOKEN}`],
      ['a scheme with a look-alike letter', 'is refused', `B\xe4sic ${TOKEN}`],
      ['a scheme in quotes', 'is refused', `"Basic" ${TOKEN}`],
      ['a lack of scheme', 'is refused', TOKEN],
      ['a scheme behind its token', 'is refused', `${TOKEN} Basic`],
      ['the scheme twice', 'is refused', `Basic Basic ${TOKEN}`],
      ['the name of the field once more', 'is refused', `Authorization: ${RIGHT}`],
      ['Bearer', 'is refused', `Bearer ${TOKEN}`],
      ['Negotiate', 'is refused', `Negotiate ${TOKEN}`],
      ['Digest before a token', 'is refused', `Digest ${TOKEN}`],
      ['a scheme of any token', 'is refused', `!#$%&'*+-.^_\`|~ ${TOKEN}`],
    ]);
  });

  describe('whitespace', () => {
    basicTable(bench, [
      ['a double space', 'is accepted', `Basic  ${TOKEN}`],
      ['a run of fifty spaces', 'is accepted', `Basic${' '.repeat(50)}${TOKEN}`],
      ['a tab behind the scheme', 'is refused', `Basic\t${TOKEN}`],
      ['a space and a tab', 'is refused', `Basic \t${TOKEN}`],
      ['a no-break space', 'is refused', `Basic\xa0${TOKEN}`],
      ['a lack of space', 'is refused', `Basic${TOKEN}`],
      ['a comma behind the scheme', 'is refused', `Basic,${TOKEN}`],
      ['a colon behind the scheme', 'is refused', `Basic: ${TOKEN}`],
      ['an equals sign behind the scheme', 'is refused', `Basic=${TOKEN}`],
      ['a field with spaces in front', 'is accepted', `   ${RIGHT}`],
      ['a field with tabs in front', 'is accepted', `\t\t${RIGHT}`],
      ['a field with spaces behind', 'is accepted', `${RIGHT}   `],
      ['a field with tabs behind', 'is accepted', `${RIGHT}\t\t`],
      ['a space inside of the token', 'is refused', 'Basic Z3VpZGU6 ZXhwbG9yZQ=='],
      ['a tab inside of the token', 'is refused', 'Basic Z3VpZGU6\tZXhwbG9yZQ=='],
      ['a space before the padding', 'is refused', 'Basic Z3VpZGU6ZXhwbG9yZQ =='],
    ]);
  });

  describe('text after the token68', () => {
    basicTable(bench, [
      ['a word', 'is refused', `${RIGHT} x`],
      ['a comma', 'is refused', `${RIGHT},`],
      ['a comma and a space', 'is refused', `${RIGHT} , `],
      ['a comma in front', 'is refused', `Basic , ${TOKEN}`],
      ['a semicolon', 'is refused', `${RIGHT};`],
      ['a parameter', 'is refused', `${RIGHT}, realm="Atlas"`],
      ['charset', 'is refused', `${RIGHT}, charset="UTF-8"`],
      ['charset with a space only', 'is refused', `${RIGHT} charset=UTF-8`],
      ['the same token', 'is refused', `${RIGHT}, ${TOKEN}`],
      ['the same credentials', 'is refused', `${RIGHT}, ${RIGHT}`],
      ['wrong credentials', 'is refused', `${RIGHT}, Basic bm9ib2R5Og==`],
      ['credentials of Digest', 'is refused', `${RIGHT}, Digest username="guide"`],
      ['a comment', 'is refused', `${RIGHT} (guide)`],
      ['a question mark', 'is refused', `${RIGHT}?`],
      ['a percent sign', 'is refused', `${RIGHT}%3D`],
      ['an octet above 127', 'is refused', `${RIGHT}\xe4`],
    ]);
  });

  describe('invalid token68', () => {
    basicTable(bench, [
      ['a field without any octet', 'is refused', ''],
      ['a field of spaces', 'is refused', '   '],
      ['a scheme alone', 'is refused', 'Basic'],
      ['a scheme with spaces behind', 'is refused', 'Basic   '],
      ['a list of empty elements', 'is refused', 'Basic , ,'],
      ['a quoted token', 'is refused', `Basic "${TOKEN}"`],
      ['a token as a parameter', 'is refused', 'Basic credentials="Z3VpZGU6ZXhwbG9yZQ=="'],
      ['a user name and password as parameters', 'is refused', 'Basic username="guide", password="explore"'],
      ['a user name and password in the clear', 'is refused', 'Basic guide:explore'],
      ['the parameters of a challenge', 'is refused', 'Basic realm="Atlas", charset="UTF-8"'],
      ['a token in angle brackets', 'is refused', `Basic <${TOKEN}>`],
    ]);
  });

  describe('octets that are not allowed in a header value', () => {
    basicTable(bench, [
      ['a NUL behind the token', 'is no request', `${RIGHT}\0`],
      ['a NUL inside of the token', 'is no request', 'Basic Z3VpZGU6\0ZXhwbG9yZQ=='],
      ['a carriage return', 'is no request', 'Basic Z3VpZGU6\rZXhwbG9yZQ=='],
      ['a line feed', 'is no request', 'Basic Z3VpZGU6\nZXhwbG9yZQ=='],
      ['a control character', 'is no request', `${RIGHT}\x01`],
      ['a DEL', 'is no request', `${RIGHT}\x7f`],
    ]);
  });

  describe('more than one header', () => {
    basicTable(bench, [
      ['a field that comes twice', 'is refused', [RIGHT, RIGHT]],
      ['a wrong field before a right one', 'is refused', ['Basic bm9ib2R5Og==', RIGHT]],
      ['a right field before a wrong one', 'is refused', [RIGHT, 'Basic bm9ib2R5Og==']],
      ['an empty field before a right one', 'is refused', ['', RIGHT]],
      ['a right field before an empty one', 'is refused', [RIGHT, '']],
      ['a field of Digest before a right one', 'is refused', ['Digest username="guide"', RIGHT]],
      ['a field in two halves', 'is refused', ['Basic', TOKEN]],
      ['a run of fifty fields', 'is refused', Array.from({ length: 50 }, () => RIGHT)],
    ]);

    it.each([
      ['in lower case', 'authorization: '],
      ['in upper case', 'AUTHORIZATION:'],
      ['with a tab', 'Authorization:\t'],
    ])('accepts the header name %s', async (_, name) => {
      const answer = await bench().ask({ target: targets.basic, fields: [name + RIGHT] });
      bench().expect(answer, 'is accepted');
    });

    it.each([
      ['another field', `Proxy-Authorization: ${RIGHT}`, 401],
      ['a longer name', `X-Authorization: ${RIGHT}`, 401],
      ['a cookie', `Cookie: Authorization=${RIGHT}`, 401],
      ['a name with a space behind', `Authorization : ${RIGHT}`, 400],
      ['a name with a space in front', ` Authorization: ${RIGHT}`, 400],
      ['a name without colon', `Authorization ${RIGHT}`, 400],
    ])('does not accept credentials from %s', async (_, field, status) => {
      const answer = await bench().ask({ target: targets.basic, fields: ['X-First: 1', field] });
      expect(answer.status).toBe(status);
    });
  });
});
