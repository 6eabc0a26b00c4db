import { describe, expect, it } from '@jest/globals';
import {
  describeDeliveryError,
  getNextAttempt,
  isPermanentFailure,
  MAX_WAIT_MS,
} from '../../src/platform/mail/delivery-rules.js';

const smtpError = (message: string, fields: object): Error => Object.assign(new Error(message), fields);

describe('The attempts to deliver an e-mail', () => {
  it('start 5 seconds apart, are at most 15 minutes apart, and end after 24 hours', () => {
    const createdAt = new Date(0);
    const delays: number[] = [];
    let now = createdAt;
    for (let attempts = 1; ; attempts++) {
      const next = getNextAttempt(createdAt, attempts, now);
      if (!next) break;
      delays.push((next.getTime() - now.getTime()) / 1000);
      now = next;
    }
    expect(now.getTime()).toBe(MAX_WAIT_MS);
    expect(delays.slice(0, 10)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 900, 900]);
    expect(Math.max(...delays)).toBe(900);
    expect(Math.min(...delays)).toBeGreaterThan(0);
  });

  it.each([
    ['RCPT TO', 550],
    ['DATA', 554],
  ])('end when %s fails with %i', (command, responseCode) => {
    expect(isPermanentFailure(smtpError('Refused', { code: 'EENVELOPE', command, responseCode }))).toBe(true);
  });

  it('end when the address cannot be sent', () => {
    expect(isPermanentFailure(smtpError('Invalid', { code: 'EENVELOPE', command: 'API' }))).toBe(true);
  });

  it.each([
    ['RCPT TO', 450],
    ['DATA', 421],
    ['MAIL FROM', 550],
    ['AUTH PLAIN', 535],
    ['CONN', 554],
    ['CONN', undefined],
  ])('continue when %s fails with %p', (command, responseCode) => {
    expect(isPermanentFailure(smtpError('Refused', { code: 'EAUTH', command, responseCode }))).toBe(false);
  });

  it('report the response without addresses, links, passwords and line breaks', () => {
    const encoded = Buffer.from('pass word').toString('base64');
    const text = `Refused: 550 <ann@example.org>\r\nsee https://example.org/?token=x pass word ${encoded} sam_refresh_abc`;
    const error = smtpError(text, { code: 'EENVELOPE', command: 'RCPT TO' });
    expect(describeDeliveryError(error, 'pass word')).toBe(
      'EENVELOPE RCPT TO Refused: 550 <[address]> see [link] [redacted] [redacted] sam_refresh_[redacted]',
    );
    expect(describeDeliveryError(smtpError('x'.repeat(500), {})).length).toBe(200);
  });
});
