// The requests of the realistic mix, in a fixed order, and the expected response of each kind.
import { deepStrictEqual, ok, strictEqual } from 'node:assert/strict';
import { fieldOf } from '../measure/ask.mjs';
import { digestClient } from '../measure/digest-client.mjs';
import { get, inTurn, withJson } from '../measure/requests.mjs';
import { makers, pageBody, pageOf } from '../sample/catalog.mjs';
import { digestSecrets, realm, user } from '../sample/guarded.mjs';
import { account, item, patchText, placed, storedOrder } from '../sample/market.mjs';
import { orderText } from '../sample/order.mjs';
import { noncesOf } from './digest-row.mjs';
import { showsJson, showsLike, showsPage } from './checks.mjs';

const ACCOUNT = '/accounts/42';
const ORDER = '/orders/7';

/** Of 100 requests. 33 are signed in: 17 with Digest, 16 with Bearer. */
const SHARES = {
  item: 37,
  accountWithDigest: 17,
  accountWithBearer: 6,
  page: 25,
  placed: 5,
  changed: 5,
  documentation: 5,
};

/** Coprime to 100, so that the requests of a kind are spread evenly. */
const STEP = 37;

const shuffled = (() => {
  const kinds = Object.entries(SHARES).flatMap(([kind, count]) => Array(count).fill(kind));
  return kinds.map((_, at) => kinds[(at * STEP) % kinds.length]);
})();

const items = Array.from({ length: 200 }, (_, at) => get(`/items/${at}`));
const pages = makers.flatMap((maker) =>
  ['price', '-name'].flatMap((sort) =>
    [1, 2, 3, 7].map((page) => get(`/items?maker=${maker}&sort=${sort}&page=${page}`)),
  ),
);

const showsPlaced = (answer) => {
  strictEqual(answer.status, 201);
  ok(fieldOf(answer, 'location')?.endsWith('/orders/4711'), 'The header Location is wrong.');
  deepStrictEqual(JSON.parse(answer.body.toString()), placed(JSON.parse(orderText)));
};

const showsDocumentation = (answer) => {
  strictEqual(answer.status, 200);
  strictEqual(fieldOf(answer, 'content-type')?.split(';')[0], 'application/json');
  ok(answer.body.includes('Returns an account.'), 'The documentation is incomplete.');
};

/**
 * The requests for a server.
 * @param {object} options
 * @param {number} options.port
 * @param {readonly string[]} options.tokens of users, in turn
 * @param {string} options.documentation path
 * @param {boolean} options.hasDigest otherwise, tokens replace Digest
 * @param {boolean} options.short fewer nonces
 * @returns {Promise<Pick<import('./workload.mjs').WorkloadRow, 'next' | 'prepare' | 'check' | 'samples'>>}
 */
export async function mixedRequests({ port, tokens, documentation, hasDigest, short }) {
  const authorization = inTurn(tokens.map((token) => ({ Authorization: `Bearer ${token}` })));
  const withBearer = () => get(ACCOUNT, authorization());
  const digest = hasDigest ? await accountClient(port, short) : undefined;
  const documented = get(documentation);
  const kinds = {
    item: { next: inTurn(items), check: showsLike(item('0'), 'item_id') },
    accountWithDigest: { next: digest?.next ?? withBearer, check: showsJson(account('42')) },
    accountWithBearer: { next: withBearer, check: showsJson(account('42')) },
    page: { next: inTurn(pages), check: showsPage(pageBody(pageOf(makers[0], 'price', 1), 1)) },
    placed: { next: () => withJson('POST', '/orders', orderText, authorization()), check: showsPlaced },
    changed: {
      next: () => withJson('PATCH', ORDER, patchText, authorization()),
      check: showsJson({ ...storedOrder('7'), ...JSON.parse(patchText) }),
    },
    documentation: { next: () => documented, check: showsDocumentation },
  };
  const inOrder = inTurn(shuffled.map((kind) => kinds[kind].next));
  return {
    next: () => inOrder()(),
    prepare: (count) => digest?.prepare(Math.ceil((count * SHARES.accountWithDigest) / 100) + 1),
    // The first request is that of an item.
    check: kinds.item.check,
    samples: Object.values(kinds),
  };
}

function accountClient(port, short) {
  return digestClient({
    port,
    target: ACCOUNT,
    user,
    realm,
    secret: digestSecrets.md5,
    nonces: noncesOf({ short }),
  });
}
