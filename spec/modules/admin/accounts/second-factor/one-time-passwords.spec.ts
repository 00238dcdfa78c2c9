import fc from 'fast-check';
import {
  ACCEPTED_MS,
  enrolmentUri,
  isSecret,
  matchingStep,
  newSecret,
  qrCode,
} from '../../../../../src/modules/admin/accounts/second-factor/one-time-passwords';
import {
  newRecoveryCodes,
  recoveryCodeHash,
} from '../../../../../src/modules/admin/accounts/second-factor/recovery-codes';
import { oneTimePassword } from '../../../../factories/sign-in/one-time-password';

/** RFC 6238, appendix B, with six digits. */
const RFC_SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const VECTORS = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
] as const;

describe('One-time passwords', () => {
  it.each(VECTORS)('are those of RFC 6238 at %d s', (time, password) => {
    expect(matchingStep(RFC_SECRET, password, time * 1_000)).toBe(Math.floor(time / 30));
    expect(matchingStep(RFC_SECRET, ` ${password.slice(0, 3)} ${password.slice(3)}`, time * 1_000)).toBe(
      Math.floor(time / 30),
    );
  });

  it('are accepted one step early and late, and name their step', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1e12, max: 4e12 }), fc.integer({ min: -3, max: 3 }), (time, steps) => {
        const secret = newSecret();
        const password = oneTimePassword(secret, time + steps * 30_000);
        const found = matchingStep(secret, password, time);
        const step = Math.floor(time / 30_000) + steps;
        // Six digits of two steps may be equal by chance.
        if (Math.abs(steps) <= 1) expect(found).toBeDefined();
        else if (found !== undefined) expect(Math.abs(found - step)).toBeGreaterThan(0);
        if (found !== undefined && found !== step)
          expect(oneTimePassword(secret, found * 30_000)).toBe(password);
      }),
    );
  });

  it('are accepted for the time in which they must not be accepted again', () => {
    const password = oneTimePassword(RFC_SECRET, 60_000);
    const found = [29_999, 30_000, 119_999, 120_000].map((time) => matchingStep(RFC_SECRET, password, time));
    expect(found).toEqual([undefined, 2, 2, undefined]);
    expect(ACCEPTED_MS).toBe(120_000 - 30_000);
  });

  it('are never anything else', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const digits = text.replaceAll(/\s/g, '');
        if (!/^\d{6}$/.test(digits)) expect(matchingStep(RFC_SECRET, text, 59_000)).toBeUndefined();
      }),
    );
  });

  it('have secrets that apps read from a QR code', () => {
    const secret = newSecret();
    expect(isSecret(secret)).toBe(true);
    const uri = new URL(enrolmentUri(secret, 'ada & eve', 'api.example.com:8443'));
    expect(uri.protocol).toBe('otpauth:');
    const issuer = 'api.example.com 8443';
    expect(Object.fromEntries(uri.searchParams)).toMatchObject({ secret, issuer, digits: '6', period: '30' });
    // A colon of the port would end the issuer: `8443:ada & eve` would be the account.
    expect(decodeURIComponent(uri.pathname)).toBe(`/${issuer}:ada & eve`);
    expect(qrCode(uri.href)).toMatch(/^<svg [^]*<\/svg>$/);
  });
});

it('Recovery codes are unique, and entered as people write them', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) {
    expect(code).toMatch(/^(?:[a-z2-9]{4}-){3}[a-z2-9]{4}$/);
    expect(recoveryCodeHash(code.toUpperCase().replaceAll('-', ' '))).toBe(recoveryCodeHash(code));
  }
});
