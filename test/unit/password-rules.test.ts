import { describe, expect, it } from '@jest/globals';
import { assertOperatorPassword, validateNewPassword } from '../../src/identity/accounts/password/password-rules.js';

const PERSON = { username: 'tomasdvorak', email: 'brezinova@example.org', name: 'Tomáš Dvořák' };

describe('A password that a person chooses', () => {
  it.each([
    ['', 'passwordMissing'],
    ['xkqjzvwpy', 'passwordTooShort'],
    ['\u{1F3A8}'.repeat(9), 'passwordTooShort'],
    ['e\u0301'.repeat(9), 'passwordTooShort'],
    [`${'xkqjzvwp'.repeat(25)}y`, 'passwordTooLong'],
    ['1234567890', 'passwordCommon'],
    ['qwertyuiop', 'passwordCommon'],
    ['passwordpassword', 'passwordPattern'],
    ['P@ssw0rd123', 'passwordCommon'],
    ['aaaaaaaaaaaaaaaa', 'passwordPattern'],
    ['a'.repeat(200), 'passwordPattern'],
    ['streetart1', 'passwordPersonal'],
    ['tomasdvorak', 'passwordPersonal'],
    ['brezinova1', 'passwordPersonal'],
    ['brezinova@example.org', 'passwordPersonal'],
    ['1986-05-17', 'passwordTooEasy'],
  ])('is rejected: %j', async (password, code) => {
    expect(await validateNewPassword(password, PERSON)).toEqual([{ field: 'password', code }]);
  });

  it.each(['xkqjzvwpyt', 'correct horse', 'harbor lantern eleven', 'größe und wände', '\u{1F3A8}xkqjzvwp\u{1F58C}'])(
    'is accepted: %j, without rules about kinds of characters',
    async (password) => {
      expect(await validateNewPassword(password, PERSON)).toEqual([]);
    },
  );

  // Trying each replacement would not end before the time limit of the test.
  it('is rated without a try of each replacement of its characters', async () => {
    const person = { ...PERSON, name: '@4s5$1!3'.repeat(12) };
    expect(await validateNewPassword('p@55w0rd1!$'.repeat(18), person)).toEqual([]);
  });
});

describe('A password that an operator sets', () => {
  it('has 1 to 200 characters', () => {
    for (const password of ['', 'x'.repeat(201)]) expect(() => assertOperatorPassword(password)).toThrow('password');
    for (const password of ['x', '\u{1F3A8}'.repeat(200)]) expect(() => assertOperatorPassword(password)).not.toThrow();
  });
});
