import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Command } from 'commander';
import { AppModule } from '../app.module.js';
import { printable } from './print.js';

/** What a command does: it asks the application for what it needs, and returns what is printed. */
type Work<Options> = (app: INestApplicationContext, options: Options, ...words: string[]) => Promise<object>;

/** As `Work`, without the application. */
type LoneWork<Options> = (options: Options, ...words: string[]) => Promise<object>;

/**
 * Gives a command its work. Its result is printed for people, or, with `--json`, as one JSON object, or an array for a
 * list, and nothing else.
 */
export function does<Options extends object>(command: Command, work: Work<Options>): Command {
  return withJson<Options>(command, async (print, options, ...words) => {
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
export function prints<Options extends object>(command: Command, work: LoneWork<Options>): Command {
  return withJson<Options>(command, async (print, options, ...words) => print(await work(options, ...words)));
}

function withJson<Options extends object>(
  command: Command,
  work: (print: (result: object) => void, options: Options, ...words: string[]) => Promise<void>,
): Command {
  return command.option('--json', 'print JSON, and nothing else').action(async () => {
    const options = command.opts<Options & { json?: boolean }>();
    const print = (result: object): void => {
      process.stdout.write(`${options.json ? JSON.stringify(result) : printable(result)}\n`);
    };
    await work(print, options, ...command.args);
  });
}
