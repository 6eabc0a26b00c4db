import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { createOrmConfig } from '../../ormconfig.js';
import { AuditEvent } from '../../src/platform/audit/audit-event.entity.js';
import { migrate } from '../../src/platform/database/migrate.js';
import { PartitionRefreshTokens1764900000000 } from '../../src/platform/database/migrations/1764900000000-partition-refresh-tokens.js';
import { RefreshToken } from '../../src/identity/oauth/refresh-token.entity.js';
import { createDatabase, isPostgres, type TestDatabase } from '../support/database.js';
import { createAccount, issueTokens, registerApp } from '../support/factories.js';
import { TestServer } from '../support/test-server.js';
import { refreshTokens } from '../support/token-endpoint.js';
import { advanceClock, DAY_MS, restoreClock } from '../support/fake-clock.js';

describe('The migrations that partition tables', () => {
  let database: TestDatabase;
  let source: DataSource;
  let lastToken: string;
  let app: Awaited<ReturnType<typeof registerApp>>;

  beforeAll(async () => {
    database = await createDatabase();
    const server = await TestServer.start({ DATABASE_URL: database.url });
    app = await registerApp(server);
    lastToken = (await issueTokens(server, { app: app.app, account: await createAccount(server) })).refresh_token;
    for (let month = 0; month < 3; month++) {
      advanceClock(29 * DAY_MS);
      lastToken = (await refreshTokens(server, app, lastToken)).body.refresh_token as string;
    }
    restoreClock();
    await server.stop();
    source = await new DataSource(createOrmConfig(database.url, 'write')).initialize();
  });
  afterAll(async () => {
    await source.destroy();
    await database.drop();
  });

  const readRows = async (): Promise<object[][]> => [
    await source.manager.find(RefreshToken, { order: { issuedAt: 'ASC' } }),
    await source.manager.find(AuditEvent, { order: { id: 'ASC' } }),
  ];
  const countNewMigrations = (): number => {
    const names = source.migrations.map(({ name }) => name);
    return names.length - names.indexOf(PartitionRefreshTokens1764900000000.name);
  };

  it('keep all rows when they are reverted and applied again', async () => {
    const rows = await readRows();
    expect(rows.map(({ length }) => length)).toEqual([4, expect.any(Number)]);
    for (let count = countNewMigrations(); count > 0; count--) await source.undoLastMigration();
    const digests = await source.query<object[]>('SELECT digest FROM refresh_tokens ORDER BY issued_at');
    expect(digests).toEqual((rows[0] as RefreshToken[]).map(({ digest }) => ({ digest })));
    await migrate(source);
    expect(await readRows()).toEqual(rows);
  });

  it('give the tokens of each month a partition', async () => {
    if (!isPostgres) return;
    expect(await source.query('SELECT DISTINCT tableoid FROM refresh_tokens')).toHaveLength(4);
    expect(await source.query('SELECT * FROM refresh_tokens_default')).toEqual([]);
  });

  it('keep the tokens valid', async () => {
    const server = await TestServer.start({ DATABASE_URL: database.url });
    advanceClock(3 * 29 * DAY_MS);
    expect((await refreshTokens(server, app, lastToken)).status).toBe(200);
    restoreClock();
    await server.stop();
  });
});
