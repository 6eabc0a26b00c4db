import { expect } from '@jest/globals';

/** The response of the token endpoint while the database is unavailable or cannot write. */
export const UNAVAILABLE_RESPONSE = {
  status: 503,
  headers: expect.objectContaining({ 'retry-after': expect.stringMatching(/^[1-9]\d*$/), 'cache-control': 'no-store' }),
  body: { error: 'temporarily_unavailable', error_description: expect.stringMatching(/^[A-Z].*\.$/) },
};

/** The path of a page that reads the database: an error page for an unknown app. */
export const DATABASE_BACKED_PAGE_PATH =
  '/api/oauth/authorize?response_type=code&client_id=app_01ARZ3NDEKTSV4RRFFQ69G5FAV';
