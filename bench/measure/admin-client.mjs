// A signed-in administrator.
import { URLSearchParams } from 'node:url';
import { password, user } from '../sample/guarded.mjs';

export class AdminClient {
  #origin;
  #cookie;
  #csrf;

  /** @param {number} port of 127.0.0.1 @returns {Promise<AdminClient>} */
  static async signIn(port) {
    const client = new AdminClient();
    client.#origin = `http://127.0.0.1:${port}`;
    const { status, fields } = await client.send('/sign-in', { name: user, password });
    client.#cookie = fields.get('set-cookie')?.split(';')[0];
    if (status !== 303 || client.#cookie === undefined)
      throw new Error(`The admin pages responded ${status} to the sign-in.`);
    client.#csrf = /name="csrf" value="([^"]+)"/.exec((await client.send('/account')).text)?.[1];
    return client;
  }

  /**
   * @param {string} path below the admin pages
   * @param {Record<string, string>} [form] sent by POST
   * @returns {Promise<{ status: number, fields: Headers, text: string }>}
   */
  async send(path, form) {
    const headers = this.#cookie === undefined ? {} : { cookie: this.#cookie };
    const answer = await fetch(`${this.#origin}/platform/admin${path}`, {
      redirect: 'manual',
      ...(form === undefined
        ? { headers }
        : {
            method: 'POST',
            headers: { ...headers, origin: this.#origin, 'sec-fetch-site': 'same-origin' },
            body: new URLSearchParams(this.#csrf === undefined ? form : { csrf: this.#csrf, ...form }),
          }),
    });
    return { status: answer.status, fields: answer.headers, text: await answer.text() };
  }

  /**
   * Follows the redirect to the page of a review, as browsers do.
   * @param {string} path below the admin pages
   * @param {Record<string, string>} [form] sent by POST
   */
  async show(path, form) {
    const answer = await this.send(path, form);
    const page = /^\/platform\/admin(\/reviews\/.+)$/.exec(answer.fields.get('location') ?? '')?.[1];
    return page === undefined ? answer : await this.send(page);
  }
}
