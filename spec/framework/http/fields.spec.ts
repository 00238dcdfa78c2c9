import { Fields } from '../../../src/framework/http/fields';

describe('Response fields', () => {
  it('are case-insensitive', () => {
    const fields = new Fields();
    fields.set('Content-Type', 'text/plain');
    expect(fields.get('content-type')).toBe('text/plain');
    expect([fields.has('CONTENT-TYPE'), fields.has('Content')]).toEqual([true, false]);
    expect(fields.get('Vary')).toBeUndefined();
  });

  it('are replaced with one line by set()', () => {
    const fields = new Fields();
    fields.append('A', '1');
    fields.append('B', '2');
    fields.append('a', '3');
    fields.append('A', '4');
    fields.set('A', '5');
    expect(fields.toList()).toEqual(['A', '5', 'B', '2']);
  });

  it('can have several lines', () => {
    const fields = new Fields();
    fields.append('WWW-Authenticate', 'Basic realm="a"');
    fields.append('WWW-Authenticate', 'Digest realm="b"');
    expect(fields.toList()).toHaveLength(4);
    expect(fields.get('WWW-Authenticate')).toBe('Basic realm="a"');
  });

  it('contain each list member once, ignoring case', () => {
    const fields = new Fields();
    fields.addToList('Vary', 'Accept');
    fields.addToList('Vary', 'Origin');
    fields.addToList('vary', 'accept');
    expect(fields.toList()).toEqual(['Vary', 'Accept, Origin']);
  });

  it('keep the other lines of a list when a member is added', () => {
    const fields = new Fields();
    fields.append('Vary', 'Origin');
    fields.append('Vary', 'Accept-Language, Cookie');
    fields.addToList('Vary', 'cookie');
    fields.addToList('Vary', 'Accept');
    expect(fields.toList()).toEqual(['Vary', 'Origin, Accept', 'Vary', 'Accept-Language, Cookie']);
  });

  it('are not mistaken for list members that begin alike', () => {
    const fields = new Fields();
    fields.addToList('Vary', 'Accept-Encoding');
    fields.addToList('Vary', 'Accept');
    fields.addToList('Vary', 'Accept-Encoding');
    expect(fields.toList()).toEqual(['Vary', 'Accept-Encoding, Accept']);
  });

  it('are deleted with all of their lines', () => {
    const fields = new Fields();
    fields.append('A', '1');
    fields.append('B', '2');
    fields.append('a', '3');
    fields.delete('A');
    expect(fields.toList()).toEqual(['B', '2']);
  });

  it('are not found by a value', () => {
    const fields = new Fields();
    fields.set('X', 'Vary');
    expect(fields.has('Vary')).toBe(false);
  });
});
