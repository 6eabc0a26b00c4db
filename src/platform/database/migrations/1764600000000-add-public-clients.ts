import { type MigrationInterface, type QueryRunner, TableColumn } from 'typeorm';
import { type ColumnDefinition, digest, nullable, varchar, withDefault } from '../table-options.js';

/** Adds the client type to apps (RFC 6749 §2.1). A public client has no client secret. */
export class AddPublicClients1764600000000 implements MigrationInterface {
  readonly name = 'AddPublicClients1764600000000';

  async up(runner: QueryRunner): Promise<void> {
    await runner.addColumn('apps', toColumn('client_type', withDefault(varchar(12), "'confidential'")));
    await runner.changeColumn('apps', 'secret_digest', toColumn('secret_digest', nullable(digest)));
  }

  /** Gives public clients a digest that no secret has, so that they cannot authenticate. */
  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`UPDATE apps SET secret_digest = '' WHERE secret_digest IS NULL`);
    await runner.changeColumn('apps', 'secret_digest', toColumn('secret_digest', digest));
    await runner.dropColumn('apps', 'client_type');
  }
}

function toColumn(name: string, definition: ColumnDefinition): TableColumn {
  return new TableColumn({ name, ...definition });
}
