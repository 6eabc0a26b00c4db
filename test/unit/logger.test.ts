import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { generateSecret } from '../../src/platform/crypto/opaque-secret.js';
import { RequestContextLogger } from '../../src/platform/logging/request-context-logger.js';

describe('Logger', () => {
  let written: string;

  beforeEach(() => {
    written = '';
    for (const stream of [process.stdout, process.stderr])
      jest.spyOn(stream, 'write').mockImplementation((chunk) => ((written += String(chunk)), true));
  });
  afterEach(() => void jest.restoreAllMocks());

  const SECRET = generateSecret('sam_refresh');
  const JWT = `eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJ1c3IifQ.${'s'.repeat(86)}`;

  for (const LOG_FORMAT of ['json', 'pretty'] as const) {
    it(`masks secrets in messages, errors, stacks and members, as ${LOG_FORMAT}`, () => {
      const logger = new RequestContextLogger({ LOG_FORMAT, LOG_LEVEL: 'debug' });
      logger.warn(`The token ${SECRET} and ${JWT} at https://app.example.org/?code=hidden-code&x=shown.`);
      logger.error(new Error(`It was ${SECRET}`));
      logger.error('It failed', `Error: ${SECRET}\n    at somewhere`);
      logger.log('A form', { password: 'hidden-password', nested: { client_secret: SECRET, cookie: 'hidden-cookie' } });
      expect(written).not.toMatch(/hidden-/);
      for (const secret of [SECRET, JWT]) expect(written).not.toContain(secret.slice(-30));
      expect(written).toContain('x=shown');
      if (LOG_FORMAT === 'json') for (const line of written.split('\n').filter(Boolean)) JSON.parse(line);
    });
  }
});
