import { requestDigest } from '../../../../../src/modules/mvc-auth/http/digest/digest-response';
import { TargetDigests } from '../../../../../src/modules/mvc-auth/http/digest/target-digests';

describe('the digests of what is asked for', () => {
  const remember = (targets: TargetDigests, method: string, uri: string): void => {
    targets.remember('MD5', method, uri, requestDigest('MD5', method, uri));
  };

  it('are those of RFC 7616, 3.4.3 and 3.5, told apart by algorithm, method and target', () => {
    const targets = new TargetDigests();
    remember(targets, 'GET', '/a');
    expect(targets.get('MD5', 'GET', '/a')).toMatchObject({
      asked: requestDigest('MD5', 'GET', '/a'),
      answered: requestDigest('MD5', '', '/a'),
    });
    expect(targets.get('SHA-256', 'GET', '/a')).toBeUndefined();
    expect(targets.get('MD5', 'PUT', '/a')).toBeUndefined();
    expect(targets.get('MD5', 'GET', '/a?')).toBeUndefined();
  });

  it('are those of the method that a target was last asked for with', () => {
    const targets = new TargetDigests();
    remember(targets, 'GET', '/a');
    remember(targets, 'PUT', '/a');
    expect(targets.get('MD5', 'GET', '/a')).toBeUndefined();
    expect(targets.get('MD5', 'PUT', '/a')?.asked).toBe(requestDigest('MD5', 'PUT', '/a'));
    expect(targets.size).toBe(1);
  });

  it('are kept for a bounded number of targets of a bounded length', () => {
    const targets = new TargetDigests(2);
    for (const uri of ['/a', '/b', '/c', `/${'d'.repeat(300)}`]) remember(targets, 'GET', uri);
    expect(targets.size).toBe(2);
    expect(targets.get('MD5', 'GET', '/a')).toBeUndefined();
    expect(targets.get('MD5', 'GET', '/c')).toBeDefined();
  });
});
