import type { Command } from 'commander';
import path from 'node:path';
import { ending, type ConfigIo } from './config-command';
import { importDocument } from './import-openapi';

interface ImportOptions {
  readonly api: string;
  readonly version: string;
  readonly out?: string;
  readonly root: string;
  readonly force?: boolean;
}

/** Registers `import openapi FILE`. */
export function registerImport(program: Command, io: ConfigIo): void {
  program
    .command('import')
    .description('document here what is described elsewhere')
    .command('openapi')
    .description('make a documented API of an OpenAPI 3.0 or 3.1 document; its operations answer 501')
    .argument('<file>', 'the document, JSON or YAML')
    .requiredOption('--api <name>', 'what the API is called here')
    .option('--version <number>', 'its version here', '1')
    .option('--out <file>', 'where to (default: config/autoload/<name>.global.json)')
    .option('--root <folder>', 'the folder that holds config/', '.')
    .option('--force', 'replace the file')
    .action((file: string, { root, api, version, out, force = false }: ImportOptions) => {
      const from = path.resolve(root);
      const target =
        out === undefined ? path.join(from, 'config', 'autoload', `${api}.global.json`) : path.resolve(out);
      return ending(io, () =>
        importDocument(path.resolve(file), { root: from, api, version, target, force }, io),
      );
    });
}
