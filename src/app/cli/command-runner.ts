import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import { AppModule } from '../../app.module.js';
import { formatResult } from './format-result.js';

/** What a command does: it asks the application for what it needs, and returns what is printed. */
type AppCommandHandler<Options> = (
  app: INestApplicationContext,
  options: Options,
  ...words: string[]
) => Promise<object>;

/** As `Work`, without the application. */
type StandaloneCommandHandler<Options> = (options: Options, ...words: string[]) => Promise<object>;

/**
 * Gives a command its work. Its result is printed for people, or, with `--json`, as one JSON object, or an array for a
 * list, and nothing else.
 */
export function appCommand<Options extends object>(command: Command, work: AppCommandHandler<Options>): Command {
  return withJsonOption<Options>(command, async (print, options, ...words) => {
    const app = await NestFactory.createApplicationContext(AppModule, {
      logger: false,
      abortOnError: false,
    });
    try {
      print(await work(app, options, ...words));
    } finally {
      await app.close();
    }
  });
}

/** As `does`, for a command that starts nothing: the database stays as it is. */
export function standaloneCommand<Options extends object>(
  command: Command,
  work: StandaloneCommandHandler<Options>,
): Command {
  return withJsonOption<Options>(command, async (print, options, ...words) => print(await work(options, ...words)));
}

function withJsonOption<Options extends object>(
  command: Command,
  work: (print: (result: object) => void, options: Options, ...words: string[]) => Promise<void>,
): Command {
  return command.option('--json', 'print JSON, and nothing else').action(async () => {
    const options = command.opts<Options & { json?: boolean }>();
    const print = (result: object): void => {
      process.stdout.write(`${options.json ? JSON.stringify(result) : formatResult(result)}\n`);
    };
    await work(print, options, ...command.args);
  });
}
