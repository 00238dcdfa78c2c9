import { requestDigest } from '../../../../../src/modules/mvc-auth/http/digest/digest-response';
import { TargetDigests } from '../../../../../src/modules/mvc-auth/http/digest/target-digests';

describe('cached digests of request targets', () => {
  const add = (targets: TargetDigests, method: string, uri: string): void => {
    targets.add('MD5', method, uri, requestDigest('MD5', method, uri));
  };

  it('are those of RFC 7616, 3.4.3 and 3.5, by algorithm, method and target', () => {
    const targets = new TargetDigests();
    add(targets, 'GET', '/a');
    expect(targets.get('MD5', 'GET', '/a')).toMatchObject({
      request: requestDigest('MD5', 'GET', '/a'),
      response: requestDigest('MD5', '', '/a'),
    });
    expect(targets.get('SHA-256', 'GET', '/a')).toBeUndefined();
    expect(targets.get('MD5', 'PUT', '/a')).toBeUndefined();
    expect(targets.get('MD5', 'GET', '/a?')).toBeUndefined();
  });

  it('are cached for the last method of a target', () => {
    const targets = new TargetDigests();
    add(targets, 'GET', '/a');
    add(targets, 'PUT', '/a');
    expect(targets.get('MD5', 'GET', '/a')).toBeUndefined();
    expect(targets.get('MD5', 'PUT', '/a')?.request).toBe(requestDigest('MD5', 'PUT', '/a'));
    expect(targets.size).toBe(1);
  });

  it('are limited in number and length', () => {
    const targets = new TargetDigests(2);
    const longest = `/${'c'.repeat(255)}`;
    const uris = ['/a', '/b', longest, `${longest}c`];
    for (const uri of uris) add(targets, 'GET', uri);
    expect(targets.size).toBe(2);
    expect(uris.map((uri) => targets.get('MD5', 'GET', uri) !== undefined)).toEqual([
      false,
      true,
      true,
      false,
    ]);
  });
});
