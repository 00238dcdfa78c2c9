// From a path to its route, among few and many.
import { part } from '../built.mjs';

const { Router } = part('framework/index');
const { splitTarget } = part('framework/http/target');

function routerOf(count) {
  const router = new Router();
  for (let at = 0; at < count; at++)
    router.add(`route-${at}`, `[/v:version(\\d+)]/things-${at}[/:thing_id]`, at);
  return router;
}

const few = routerOf(10);
const many = routerOf(10_000);

export default {
  'target split': () => splitTarget('/things-7/42?fields=name'),
  'route among 10': () => few.match('/things-7/42'),
  'route among 10, with a version': () => few.match('/v1/things-7/42'),
  'route among 10,000': () => many.match('/things-7777/42'),
  'no route among 10,000': () => many.match('/thongs-7777/42'),
};
