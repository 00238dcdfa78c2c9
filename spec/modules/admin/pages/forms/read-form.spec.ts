import { startAdminPlatform, type AdminPlatform } from '../../../../factories/admin/admin';
import { fieldsOf } from '../../../../factories/admin/page-form';

const TEXTS = '/apis/Atlas-v1/texts';

let platform: AdminPlatform;
beforeAll(async () => {
  platform = await startAdminPlatform();
});
afterAll(() => platform.stop());

describe('A form with texts', () => {
  it('can have the longest text, of any characters', async () => {
    const text = '世'.repeat(20_000);
    const review = await platform.ada.post(TEXTS, { '/description': text });
    expect(review.status).toBe(200);
    const saved = await platform.ada.post(TEXTS, fieldsOf(await review.text(), 'confirm'));
    expect(saved.status).toBe(303);
    const { configuration } = platform.application;
    expect(configuration.valueAt(['platform-hosting', 'apis', 'Atlas', 'description'])).toBe(text);
  });

  it('can be saved if it could be reviewed: what the review adds is not counted', async () => {
    const csrf = await platform.ada.csrf();
    const fields = { '/description': 'Countries.', others: '', csrf };
    const others = 'x'.repeat(1024 * 1024 - new URLSearchParams(fields).toString().length);
    const review = await platform.ada.post(TEXTS, { ...fields, others });
    expect(review.status).toBe(200);
    const saved = await platform.ada.post(TEXTS, fieldsOf(await review.text(), 'confirm'));
    expect(saved.status).toBe(303);
  });

  it('is rejected above 1 MiB', async () => {
    const refused = await platform.ada.post(TEXTS, { '/description': 'x'.repeat(1024 * 1024) });
    expect(refused.status).toBe(413);
  });

  it.each([64 * 1024, 65 * 1024])('is rejected above 64 KiB without a session: %d', async (length) => {
    const refused = await platform.stranger().post('/sign-in', { name: 'x'.repeat(length) });
    expect(refused.status).toBe(413);
    expect(await refused.text()).toContain('65536 bytes');
  });
});
