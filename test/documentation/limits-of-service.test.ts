import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readFile } from 'node:fs/promises';
import { BrowserClient } from '../support/browser-client.js';
import { OpenApiDocument } from '../support/openapi-document.js';
import { TestServer } from '../support/test-server.js';

/** The settings of a service, and the limits that its documents name. */
const SERVICES: [
  name: string,
  environment: Record<string, string>,
  limits: Record<'reads' | 'allReads' | 'writes' | 'allWrites' | 'tokens', string>,
][] = [
  ['without settings', {}, { reads: '120', allReads: '360', writes: '30', allWrites: '90', tokens: '3,000' }],
  [
    'with other settings',
    { API_READ_LIMIT: '2500', API_WRITE_LIMIT: '1', TOKEN_RATE_LIMIT: '150000' },
    { reads: '2,500', allReads: '7,500', writes: '1', allWrites: '3', tokens: '150,000' },
  ],
];

describe.each(SERVICES)('The limits in the documents of a service %s', (_, environment, limits) => {
  let server: TestServer;
  let document: OpenApiDocument;

  beforeAll(async () => {
    server = await TestServer.start(environment);
    document = await OpenApiDocument.load(server);
  });
  afterAll(() => server.stop());

  const sentences = [
    `Reads: ${limits.reads} per minute for each app and person, and ${limits.allReads} for all apps of a person together.`,
    `Writes: ${limits.writes} per minute for each app and person, and ${limits.allWrites} for all apps of a person together.`,
    `Token responses: ${limits.tokens} per minute for each app and network.`,
  ];

  it('are in the OpenAPI document', () => {
    for (const sentence of sentences) expect(document.document.info.description).toContain(sentence);
    const { headers } = document.document.components;
    const reads = Number(limits.reads.replaceAll(',', ''));
    expect(headers['X-RateLimit-Limit'].schema.examples).toEqual([reads]);
    expect(headers['X-RateLimit-Remaining'].schema.examples).toEqual([reads - 1]);
    expect(headers['RateLimit-Policy'].schema.examples).toEqual([`"reads";q=${reads};w=60`]);
    expect(headers.RateLimit.schema.examples).toEqual([`"reads";r=${reads - 1};t=42`]);
    const { pointer } = document.findOperation('issueTokens');
    const { content } = document.resolvePointer(`${pointer}/responses/429`).value;
    expect(JSON.stringify(content)).toContain(`its limit is ${limits.tokens.replaceAll(',', '')} per minute`);
  });

  it('are on the page of the API reference', async () => {
    const { html } = await new BrowserClient(server).get('/docs');
    for (const sentence of sentences) expect(html).toContain(sentence);
  });

  it('are in the document of limits', async () => {
    const { html } = await new BrowserClient(server).get('/docs/limits');
    const rows = [
      ...html.matchAll(/<tr><td>([^<]*(?:<code>[^<]*<\/code>[^<]*)*)<\/td><td>[^<]*<\/td><td>([^<]*)<\/td><\/tr>/g),
    ];
    const cells = Object.fromEntries(rows.map(([, requests, limit]) => [requests!.split(':')[0], limit]));
    expect(cells).toMatchObject({
      Reads: `${limits.reads} per minute`,
      'Reads of all apps together': `${limits.allReads} per minute`,
      Writes: `${limits.writes} per minute`,
      'Writes of all apps together': `${limits.allWrites} per minute`,
      'Token responses': `${limits.tokens} per minute`,
      'API calls without a token': '60 per minute',
    });
    expect(html).not.toContain('&lt;!--');
  });

  it('are the defaults in docs/limits.md', async () => {
    const markdown = await readFile('docs/limits.md', 'utf8');
    const defaults = Object.values(SERVICES[0]![2]).map((limit) => `${limit}<!-- `);
    for (const marked of defaults) expect(markdown).toContain(marked);
    expect(markdown.match(/<!--/g)).toHaveLength(defaults.length);
  });
});
