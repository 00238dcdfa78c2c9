import type { Command } from 'commander';
import type { CommandContext } from './command-context';
import { reportApplied } from './report';
import { projectCommand } from './project-command';

/** How many users of a selector are listed by name. */
const MAX_NAMES = 5;

/** Registers `selector list`, `selector add SELECTOR [MODEL TYPE…]` and `selector remove SELECTOR [MODEL]`. */
export function registerSelector(program: Command, io: CommandContext): void {
  const selector = program
    .command('selector')
    .description('list, add and remove selectors of content negotiation');

  projectCommand(
    selector,
    io,
    'list',
    'list the selectors with their view models and media types',
    async ({ services }) => {
      for (const { name, models, usedBy } of await services.selectors.list()) {
        io.stdout.write(`${name}${usedBy.length === 0 ? '' : ` (used by ${few(usedBy)})`}\n`);
        for (const model of models) {
          io.stdout.write(`  ${model.name}: ${model.types.map(({ mediaType }) => mediaType).join(', ')}\n`);
        }
      }
    },
    { readOnly: true },
  );

  projectCommand(
    selector,
    io,
    'add',
    'create a selector, or add a view model with its media types to a selector',
    async ({ services, actor }, _, name = '', model?: string, ...types: readonly string[]) => {
      const { selectors, changes } = services;
      const exists = (await selectors.list()).some((one) => one.name === name);
      const first = model === undefined ? undefined : { model, types: types.flat() };
      const change =
        exists && first !== undefined
          ? selectors.prepareAddModel(name, first.model, first.types)
          : selectors.prepareCreate(name, first);
      reportApplied(io, await changes.apply(await change, actor));
    },
  )
    .argument('<selector>', 'name of the selector')
    .argument('[model]', 'name of a view model in the container')
    .argument('[types...]', 'media types that select the view model');

  projectCommand(
    selector,
    io,
    'remove',
    'remove a selector, or a view model from one',
    async ({ services, actor }, _, name = '', model?: string) => {
      const { selectors, changes } = services;
      const change =
        model === undefined ? selectors.prepareRemove(name) : selectors.prepareRemoveModel(name, model);
      reportApplied(io, await changes.apply(await change, actor));
    },
  )
    .argument('<selector>', 'name of the selector')
    .argument('[model]', 'name of the view model');
}

/** Lists the first names within a sentence, and counts the rest. */
function few(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMES).map((name) => name.replace(/^The /, 'the '));
  const more = names.length - shown.length;
  return more === 0 ? shown.join(', ') : `${shown.join(', ')} and ${more} more`;
}
