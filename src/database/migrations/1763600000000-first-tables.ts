import { type MigrationInterface, type QueryRunner, Table, type TableOptions } from 'typeorm';
import {
  degrees,
  digest,
  flag,
  id,
  inDialectOf,
  index,
  integer,
  maybeId,
  maybeInteger,
  maybeMoment,
  maybeText,
  maybeWords,
  moment,
  references,
  table,
  text,
  unique,
  words,
} from '../table-options.js';

/** The tables that the service starts with: accounts, apps, tokens, and the map. */
export class FirstTables1763600000000 implements MigrationInterface {
  readonly name = 'FirstTables1763600000000';

  async up(runner: QueryRunner): Promise<void> {
    for (const options of TABLES) await runner.createTable(new Table(inDialectOf(runner, options)));
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const { name } of [...TABLES].reverse()) await runner.dropTable(name);
  }
}

const TABLES: TableOptions[] = [
  table('signing_keys', ['kid'], {
    kid: digest,
    algorithm: words(10),
    public_key: text,
    sealed_private_key: text,
    created_at: moment,
  }),
  table('audit_events', ['id'], {
    id,
    at: moment,
    type: words(40),
    account_id: maybeId,
    app_id: maybeId,
    authorization_id: maybeId,
    detail: maybeText,
  }),
  table(
    'accounts',
    ['id'],
    {
      id,
      username: words(40),
      username_key: words(40),
      email: words(254),
      email_key: words(254),
      name: words(100),
      password_hash: text,
      role: words(20),
      regions: text,
      created_at: moment,
      updated_at: moment,
      blocked_at: maybeMoment,
      blocked_reason: maybeText,
    },
    { indices: [unique('accounts_username_key', 'username_key'), unique('accounts_email_key', 'email_key')] },
  ),
  table('apps', ['id'], {
    id,
    name: words(100),
    owner_id: maybeId,
    redirect_uris: text,
    post_logout_redirect_uris: text,
    scopes: text,
    required_scopes: text,
    id_token_alg: words(10),
    pkce_required: flag,
    secret_digest: digest,
    created_at: moment,
    disabled_at: maybeMoment,
  }),
  table(
    'authorizations',
    ['id'],
    { id, account_id: id, app_id: id, scopes: text, auth_time: moment, created_at: moment, revoked_at: maybeMoment },
    {
      indices: [index('authorizations_account', 'account_id')],
      foreignKeys: [
        references('authorizations_account_fk', 'account_id', 'accounts'),
        references('authorizations_app_fk', 'app_id', 'apps'),
      ],
    },
  ),
  table(
    'refresh_tokens',
    ['digest'],
    {
      digest,
      authorization_id: id,
      issued_at: moment,
      expires_at: moment,
      used_at: maybeMoment,
      successor_digest: { ...digest, isNullable: true },
    },
    {
      indices: [index('refresh_tokens_authorization', 'authorization_id')],
      foreignKeys: [references('refresh_tokens_authorization_fk', 'authorization_id', 'authorizations')],
    },
  ),
  table(
    'artists',
    ['id'],
    {
      id,
      name: words(120),
      name_key: words(240),
      aliases: text,
      country: maybeWords(2),
      bio: maybeText,
      links: text,
      active_from: maybeInteger,
      active_to: maybeInteger,
      version: integer,
      created_at: moment,
      updated_at: moment,
      deleted_at: maybeMoment,
    },
    { indices: [index('artists_name', 'name_key', 'id')] },
  ),
  table(
    'regions',
    ['id'],
    { id, name: words(100), west: degrees, south: degrees, east: degrees, north: degrees, created_at: moment },
    { indices: [unique('regions_name', 'name')] },
  ),
  table(
    'markers',
    ['id'],
    {
      id,
      kind: words(20),
      title: words(200),
      description: maybeText,
      status: words(20),
      medium: text,
      place_type: maybeWords(40),
      lat_e7: integer,
      lon_e7: integer,
      address: maybeWords(300),
      region_id: maybeId,
      year: maybeInteger,
      tags: text,
      image_url: maybeWords(500),
      version: integer,
      created_at: moment,
      updated_at: moment,
      deleted_at: maybeMoment,
    },
    { foreignKeys: [references('markers_region_fk', 'region_id', 'regions')] },
  ),
  table(
    'marker_artists',
    ['marker_id', 'artist_id'],
    { marker_id: id, artist_id: id },
    {
      indices: [index('marker_artists_marker_id', 'marker_id'), index('marker_artists_artist_id', 'artist_id')],
      foreignKeys: [
        { ...references('marker_artists_marker_fk', 'marker_id', 'markers', 'CASCADE'), onUpdate: 'CASCADE' },
        { ...references('marker_artists_artist_fk', 'artist_id', 'artists', 'CASCADE'), onUpdate: 'CASCADE' },
      ],
    },
  ),
  table(
    'collections',
    ['id'],
    {
      id,
      owner_id: id,
      name: words(100),
      description: maybeText,
      visibility: words(10),
      item_count: integer,
      version: integer,
      created_at: moment,
      updated_at: moment,
    },
    {
      indices: [index('collections_owner', 'owner_id', 'updated_at', 'id')],
      foreignKeys: [references('collections_owner_fk', 'owner_id', 'accounts')],
    },
  ),
  table(
    'collection_items',
    ['collection_id', 'marker_id'],
    { collection_id: id, marker_id: id, position: integer, note: maybeWords(500), added_at: moment },
    {
      indices: [unique('collection_items_position', 'collection_id', 'position')],
      foreignKeys: [
        references('collection_items_collection_fk', 'collection_id', 'collections', 'CASCADE'),
        references('collection_items_marker_fk', 'marker_id', 'markers'),
      ],
    },
  ),
  table(
    'edits',
    ['id'],
    {
      id,
      type: words(10),
      status: words(12),
      target_type: words(10),
      target_id: maybeId,
      base_version: maybeInteger,
      region_id: maybeId,
      changes: text,
      comment: maybeText,
      source_url: maybeWords(500),
      author_id: id,
      app_id: id,
      created_at: moment,
      decided_at: maybeMoment,
      decided_by_id: maybeId,
      decision_comment: maybeText,
      result_version: maybeInteger,
      supersedes: maybeId,
      reverts: maybeId,
      reverted_by: maybeId,
    },
    {
      indices: [index('edits_author', 'author_id', 'created_at', 'id'), index('edits_target', 'target_id')],
      foreignKeys: [
        references('edits_author_fk', 'author_id', 'accounts'),
        references('edits_app_fk', 'app_id', 'apps'),
        references('edits_decided_by_fk', 'decided_by_id', 'accounts'),
      ],
    },
  ),
];
