import type { Command } from 'commander';
import { DomainError } from '../../platform/errors/domain-error.js';
import { InvalidFieldsError } from '../../platform/i18n/invalid-fields-error.js';

/** The option of a command that creates a row with a unique name. */
export interface IfAbsentOption {
  ifAbsent?: true;
}

/** Adds `--if-absent`. @param row the unique row, such as `account with this username` */
export function addIfAbsentOption(command: Command, row: string): Command {
  return command.option('--if-absent', `print the id of an existing ${row}, and change nothing (default: refuse it)`);
}

/**
 * Creates a row. With `--if-absent`, if that is refused, returns the row that has the unique name.
 * So of several commands at the same time, one creates the row, and the others return it.
 * @param find returns the row with the unique name, or null
 */
export function createIfAbsent<Row>(
  { ifAbsent }: IfAbsentOption,
  create: () => Promise<Row>,
  find: () => Promise<Row | null>,
): Promise<Row> {
  return create().catch(async (error: unknown) => {
    const isRefused = error instanceof DomainError || error instanceof InvalidFieldsError;
    const existing = ifAbsent && isRefused ? await find() : null;
    if (existing === null) throw error;
    return existing;
  });
}
