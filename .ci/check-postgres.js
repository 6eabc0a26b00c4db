// Exits 0 where a PostgreSQL answers at the address given.
import pg from 'pg';

const client = new pg.Client({ connectionString: process.argv[2], connectionTimeoutMillis: 3000 });
client.connect().then(
  () => client.end(),
  () => process.exit(1),
);
