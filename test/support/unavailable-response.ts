import { expect } from '@jest/globals';

/** What the token endpoint answers while the database is away, or cannot write. */
export const UNAVAILABLE_RESPONSE = {
  status: 503,
  headers: expect.objectContaining({ 'retry-after': expect.stringMatching(/^[1-9]\d*$/), 'cache-control': 'no-store' }),
  body: { error: 'temporarily_unavailable', error_description: expect.stringMatching(/^[A-Z].*\.$/) },
};

/** A page that needs the database: it says that there is no such app. */
export const DATABASE_BACKED_PAGE_PATH =
  '/api/oauth/authorize?response_type=code&client_id=app_01ARZ3NDEKTSV4RRFFQ69G5FAV';
