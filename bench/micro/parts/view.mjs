// From content to a body.
import { books } from '../../sample/shelf.mjs';
import { thing } from '../../sample/things.mjs';
import { part } from '../built.mjs';

const { JsonModel, JsonRenderer, JsonStrategy, Response, View } = part('framework/index');

const view = new View();
view.events.attachGroup(new JsonStrategy(new JsonRenderer()), JsonStrategy.PRIORITY);
const small = thing('42');

export default {
  'a small entity as JSON': () => view.render(new JsonModel(small), new Response()),
  'the same by JSON.stringify': () => JSON.stringify(small),
  '50 entities as JSON': () => view.render(new JsonModel(books), new Response()),
  'the same by JSON.stringify ': () => JSON.stringify(books),
};
