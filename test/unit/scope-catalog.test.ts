import { describe, expect, it } from '@jest/globals';
import { isScope, SCOPES, parseScope } from '../../src/identity/scopes/scopes.js';

describe('Scope catalog (spec §5)', () => {
  it('has the ten scopes with their meanings', () => {
    expect(SCOPES).toEqual({
      openid: "the person's identity is known to the service",
      profile: 'name, username and profile picture can be seen',
      email: 'e-mail address can be seen',
      'edits:read': "the person's suggested changes can be seen",
      'edits:write': 'changes to artworks and artists can be suggested for the person',
      'edits:review': 'changes by others can be accepted, rejected and undone, if the person is allowed to',
      'collections:read': "the person's collections can be seen, private ones too",
      'collections:write': 'collections can be created, changed and deleted, and artworks added to them',
      'markers:read': 'artworks and other places on the map can be searched and looked up',
      'artists:read': 'artists and their artworks can be searched and looked up',
    });
  });

  it('has no other name, such as a property of every object', () => {
    for (const name of ['', 'edits', 'EDITS:READ', 'edits:read ', 'constructor', 'toString', '__proto__']) {
      expect(isScope(name)).toBe(false);
    }
  });

  it('splits a scope parameter at spaces, without duplicates (RFC 6749 §3.3)', () => {
    expect(parseScope(' edits:read  markers:read edits:read ')).toEqual(['edits:read', 'markers:read']);
    expect(parseScope('')).toEqual([]);
  });
});
