import { DefaultNamingStrategy, type Table } from 'typeorm';

const toSnakeCase = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase();

/** Names columns in snake case: `createdAt` becomes `created_at`. Entities name their tables. */
export class SnakeCaseNamingStrategy extends DefaultNamingStrategy {
  override columnName(propertyName: string, customName: string | undefined, embeddedPrefixes: string[]): string {
    return [...embeddedPrefixes, customName ?? toSnakeCase(propertyName)].join('_');
  }

  override indexName(tableOrName: Table | string, columnNames: string[]): string {
    return [this.getTableName(tableOrName), ...columnNames].join('_');
  }
}
