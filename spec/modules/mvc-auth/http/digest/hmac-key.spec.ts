import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { HmacKey } from '../../../../../src/modules/mvc-auth/http/digest/hmac-key';

it('computes HMAC-SHA-256 for keys and messages of any length', () => {
  const bytes = (maxLength: number) => fc.uint8Array({ maxLength }).map((array) => Buffer.from(array));
  fc.assert(
    fc.property(bytes(200), fc.array(bytes(100), { minLength: 1 }), (key, messages) => {
      for (const message of messages) {
        const hmac = new HmacKey(key, message.length).sign(message.toString('hex'));
        expect(hmac).toBe(createHmac('sha256', key).update(message).digest('hex'));
      }
    }),
  );
});
