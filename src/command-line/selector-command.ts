import type { Command } from 'commander';
import type { ConfigIo } from './config-command';
import { tellApplied } from './outcome';
import { projectCommand } from './project-command';

/** Users of a selector that are named. */
const MOST_NAMES = 5;

/** Registers `selector list`, `selector add SELECTOR [MODEL TYPE…]` and `selector remove SELECTOR [MODEL]`. */
export function registerSelector(program: Command, io: ConfigIo): void {
  const selector = program.command('selector').description('selectors of content negotiation');

  projectCommand(
    selector,
    io,
    'list',
    'the selectors with their view models and media types',
    async ({ services }) => {
      for (const { name, models, usedBy } of await services.selectors.list()) {
        io.stdout.write(`${name}${usedBy.length === 0 ? '' : ` (used by ${few(usedBy)})`}\n`);
        for (const model of models) {
          io.stdout.write(`  ${model.name}: ${model.types.map(({ mediaType }) => mediaType).join(', ')}\n`);
        }
      }
    },
  );

  projectCommand(
    selector,
    io,
    'add',
    'create a selector, or add a view model with its media types to one',
    async ({ services, actor }, _, name = '', model?: string, ...types: readonly string[]) => {
      const { selectors, changes } = services;
      const isThere = (await selectors.list()).some((one) => one.name === name);
      if (!isThere || model === undefined) {
        tellApplied(io, await changes.apply(await selectors.toCreate(name), actor));
      }
      if (model === undefined) return;
      tellApplied(io, await changes.apply(await selectors.toAddModel(name, model, types.flat()), actor));
    },
  )
    .argument('<selector>', 'the name of the selector')
    .argument('[model]', 'the name of a view model in the container')
    .argument('[types...]', 'the media types that it is chosen for');

  projectCommand(
    selector,
    io,
    'remove',
    'remove a selector, or a view model from one',
    async ({ services, actor }, _, name = '', model?: string) => {
      const { selectors, changes } = services;
      const change = model === undefined ? selectors.toRemove(name) : selectors.toRemoveModel(name, model);
      tellApplied(io, await changes.apply(await change, actor));
    },
  )
    .argument('<selector>', 'the name of the selector')
    .argument('[model]', 'the name of the view model');
}

/** The first names of a list that may be long. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES);
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
