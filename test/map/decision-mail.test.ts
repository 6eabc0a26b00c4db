import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Account } from '../../src/identity/accounts/account.entity.js';
import { Edit } from '../../src/map/edits/edit.entity.js';
import { DecisionMailService } from '../../src/map/edits/review/decision-mail.service.js';
import { TransactionService } from '../../src/platform/database/transaction.service.js';
import { openSignedInBrowser } from '../support/authorization-flow.js';
import { BrowserClient, parseForm } from '../support/browser-client.js';
import { EditsFixture } from '../support/edits-fixture.js';
import { createAccount } from '../support/factories.js';
import { MailServer, type ReceivedMail } from '../support/mail-server.js';
import { startDelivery } from '../support/mail-outbox.js';
import { type QueuedMail, readQueuedMail } from '../support/queued-mail.js';

const HOUR_MS = 3600_000;
const KIND = 'suggestionsDecided';

describe('The message about decided suggestions', () => {
  let edits: EditsFixture;
  let author: Account;
  let token: string;

  beforeAll(async () => {
    edits = await EditsFixture.start();
  });
  beforeEach(async () => {
    await edits.createArtwork();
    await signUp();
  });
  afterAll(() => edits.server.stop());

  async function signUp(emailVerified = true): Promise<void> {
    author = await createAccount(edits.server, { emailVerified });
    token = await edits.issueAccessToken(author);
  }

  /** Suggests a title, and a moderator decides this many hours ago. @returns the id of the edit */
  async function decide(action: 'accept' | 'reject', title: string, hoursAgo: number): Promise<string> {
    const marker = await edits.findMarker();
    const id = await edits.suggestEdit(edits.buildUpdate({ title }, marker), token);
    expect((await edits.decide(action, id)).status).toBe(200);
    await moveDecision(id, hoursAgo);
    return id;
  }
  const moveDecision = (id: string, hoursAgo: number): Promise<unknown> =>
    edits.server
      .get(TransactionService)
      .run((tx) => tx.update(Edit, { id }, { decidedAt: new Date(Date.now() - hoursAgo * HOUR_MS) }));
  const tell = async (): Promise<QueuedMail[]> => {
    await edits.server.get(DecisionMailService).tellAuthors();
    return (await readQueuedMail(edits.server)).filter(({ kind, email }) => kind === KIND && email === author.email);
  };

  it('is one for all decisions, when the first one is a day old', async () => {
    await decide('accept', 'Fox', 25);
    await decide('reject', 'Owl', 2);
    await decide('accept', 'Cat', 1);
    const [mail, ...others] = await tell();
    expect(others).toEqual([]);
    expect(mail!.subject).toBe('Your suggestions were decided');
    expect(mail!.text).toContain('Accepted:\n- Cat\n- Cat\n');
    expect(mail!.text).toContain('Not accepted:\n- Cat: A reason.\n');
    expect(await tell()).toHaveLength(1);
  });

  it('is sent again a day later, with the new decisions only', async () => {
    await decide('accept', 'Fox', 25);
    await tell();
    await decide('reject', 'Owl', 0);
    expect(await tell()).toHaveLength(1);
  });

  it('is sent once by two processes at the same time', async () => {
    await decide('accept', 'Fox', 25);
    const service = edits.server.get(DecisionMailService);
    await Promise.all([service.tellAuthors(), service.tellAuthors()]);
    expect(await tell()).toHaveLength(1);
  });

  it('tells of an accepted suggestion that was undone since', async () => {
    const id = await decide('accept', 'Fox', 25);
    expect((await edits.decide('revert', id)).status).toBe(200);
    const [mail] = await tell();
    expect(mail!.text).toContain('Accepted:\n- Echo Wall (undone later)\n');
  });

  it('is not sent within a day of the decision, or for one of more than 7 days', async () => {
    await decide('accept', 'Fox', 23);
    expect(await tell()).toEqual([]);
    await signUp();
    await decide('accept', 'Owl', 8 * 24);
    expect(await tell()).toEqual([]);
  });

  it('is not sent about withdrawn and open suggestions', async () => {
    const marker = await edits.findMarker();
    const id = await edits.suggestEdit(edits.buildUpdate({ title: 'Fox' }, marker), token);
    await edits.suggestEdit(edits.buildUpdate({ title: 'Owl' }, marker), token);
    await edits.post(`/${id}/withdraw`, token);
    await moveDecision(id, 25);
    expect(await tell()).toEqual([]);
  });

  it('is not sent to an unconfirmed address or a deleted account', async () => {
    await signUp(false);
    await decide('accept', 'Fox', 25);
    expect(await tell()).toEqual([]);
    await signUp();
    await decide('accept', 'Owl', 25);
    await edits.updateAccount(author.id, { deletedAt: new Date() });
    expect(await tell()).toEqual([]);
  });

  it('has at most 20 titles in a list', async () => {
    for (let count = 0; count < 21; count++) await decide('reject', `Fox ${count}`, 25);
    const [mail] = await tell();
    expect(mail!.text.match(/^- Echo Wall: A reason\.$/gm)).toHaveLength(20);
    expect(mail!.text).toContain('- and 1 more');
  });

  it('is in the language of the author', async () => {
    await edits.updateAccount(author.id, { language: 'de' });
    await decide('accept', 'Fuchs', 25);
    const [mail] = await tell();
    expect(mail!.subject).toBe('Über deine Vorschläge wurde entschieden');
  });

  describe('ends', () => {
    const unsubscribed = async (): Promise<boolean> => {
      const { wantsDecisionMail } = await edits.server.entityManager.findOneByOrFail(Account, { id: author.id });
      return !wantsDecisionMail;
    };

    it('on the profile page, where it can begin again', async () => {
      const browser = await openSignedInBrowser(edits.server, author);
      const page = await browser.get('/account/profile');
      expect(page.html).toMatch(/<input type="checkbox" id="decisionMail" name="decisionMail" value="on" checked/);
      await browser.postMultipart('/account/profile', { name: 'Mila', language: '' });
      expect((await browser.get('/account/profile')).html).not.toMatch(/name="decisionMail" value="on" checked/);
      await decide('accept', 'Owl', 25);
      expect([await unsubscribed(), await tell()]).toEqual([true, []]);
      await browser.postMultipart('/account/profile', { name: 'Mila', language: '', decisionMail: 'on' });
      expect(await tell()).toHaveLength(1);
    });

    describe('by the link of the message', () => {
      let outer: EditsFixture;
      let mailServer: MailServer;
      let received: ReceivedMail;
      let path: string;
      let reader: BrowserClient;

      beforeAll(async () => {
        mailServer = await MailServer.start();
      });
      afterAll(() => mailServer.stop());
      beforeEach(async () => {
        outer = edits;
        edits = await EditsFixture.start({ settings: { SMTP_URL: mailServer.url } });
        await edits.createArtwork();
        await signUp();
        startDelivery(edits.server);
        await decide('accept', 'Fox', 25);
        await edits.server.get(DecisionMailService).tellAuthors();
        [received] = (await mailServer.waitForMessages()).slice(-1) as [ReceivedMail];
        const url = /^<(.*)>$/.exec(received.headers['list-unsubscribe']!)![1]!;
        path = url.slice(edits.server.settings.BASE_URL.length);
        reader = new BrowserClient(edits.server);
      });
      afterEach(async () => {
        await edits.server.stop();
        edits = outer;
        mailServer.messages.length = 0;
      });

      it('with one request of a mail client, without a session or cookies', async () => {
        expect(received.headers['list-unsubscribe-post']).toBe('List-Unsubscribe=One-Click');
        expect(received.text.replaceAll('\r', '')).toContain(
          `Stop these messages:\n${edits.server.settings.BASE_URL}${path}`,
        );
        const response = await reader.post(path, { 'List-Unsubscribe': 'One-Click' });
        expect(response.status).toBe(200);
        expect(response.html).toContain('You get no more e-mails about decided suggestions.');
        expect(await unsubscribed()).toBe(true);
      });

      it('with a multipart request, which RFC 8058 allows', async () => {
        expect((await reader.postMultipart(path, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200);
        expect(await unsubscribed()).toBe(true);
      });

      it('not by opening it, but by its button', async () => {
        const page = await reader.get(path);
        expect([page.status, page.html.includes(author.username)]).toEqual([200, true]);
        expect(await unsubscribed()).toBe(false);
        const { address } = parseForm(page, '/unsubscribe');
        expect((await reader.post(address, {})).status).toBe(200);
      });

      it('not by a changed one, or after the account was deleted', async () => {
        const changed = path.replace(/.$/, (last) => (last === 'A' ? 'Q' : 'A'));
        for (const other of [changed, '/unsubscribe', '/unsubscribe?token=x', `${path}x`]) {
          expect((await reader.get(other)).status).toBe(400);
          expect((await reader.post(other, {})).status).toBe(400);
        }
        expect(await unsubscribed()).toBe(false);
        await edits.updateAccount(author.id, { deletedAt: new Date() });
        expect((await reader.post(path, {})).status).toBe(400);
      });
    });
  });
});
