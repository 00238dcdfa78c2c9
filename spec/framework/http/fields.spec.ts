import { Fields } from '../../../src/framework/http/fields';

describe('Response fields', () => {
  it('are found in any letter case', () => {
    const fields = new Fields();
    fields.set('Content-Type', 'text/plain');
    expect(fields.get('content-type')).toBe('text/plain');
    expect([fields.has('CONTENT-TYPE'), fields.has('Content')]).toEqual([true, false]);
    expect(fields.get('Vary')).toBeUndefined();
  });

  it('are set to one value, whatever lines they had', () => {
    const fields = new Fields();
    fields.append('A', '1');
    fields.append('B', '2');
    fields.append('a', '3');
    fields.append('A', '4');
    fields.set('A', '5');
    expect(fields.toList()).toEqual(['A', '5', 'B', '2']);
  });

  it('may have several lines, each of its own', () => {
    const fields = new Fields();
    fields.append('WWW-Authenticate', 'Basic realm="a"');
    fields.append('WWW-Authenticate', 'Digest realm="b"');
    expect(fields.toList()).toHaveLength(4);
    expect(fields.get('WWW-Authenticate')).toBe('Basic realm="a"');
  });

  it('take a member into their list once, in any letter case', () => {
    const fields = new Fields();
    fields.addToList('Vary', 'Accept');
    fields.addToList('Vary', 'Origin');
    fields.addToList('vary', 'accept');
    expect(fields.toList()).toEqual(['Vary', 'Accept, Origin']);
  });

  it('are deleted with all their lines', () => {
    const fields = new Fields();
    fields.append('A', '1');
    fields.append('B', '2');
    fields.append('a', '3');
    fields.delete('A');
    expect(fields.toList()).toEqual(['B', '2']);
  });

  it('do not take a value for a name', () => {
    const fields = new Fields();
    fields.set('X', 'Vary');
    expect(fields.has('Vary')).toBe(false);
  });
});
