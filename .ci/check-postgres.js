// Exits with 0 if a PostgreSQL server responds at the given URL.
import pg from 'pg';

const client = new pg.Client({ connectionString: process.argv[2], connectionTimeoutMillis: 3000 });
client.connect().then(
  () => client.end(),
  () => process.exit(1),
);
