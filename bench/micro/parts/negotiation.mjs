// The choice of a media type, computed and cached.
import { part } from '../built.mjs';

const { negotiate, Negotiator, parseMediaType } = part('framework/index');

const OFFERS = ['application/json', 'text/html', 'application/vnd.apidesc+json', 'application/hal+json'];
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8';
const negotiator = new Negotiator(OFFERS);

export default {
  'Accept of an API client, computed': () => negotiate('application/json', OFFERS),
  'Accept of a browser, computed': () => negotiate(BROWSER, OFFERS),
  'Accept of a browser, cached': () => negotiator.choose(BROWSER),
  'Content-Type parsed': () => parseMediaType('application/json; charset=utf-8'),
};
