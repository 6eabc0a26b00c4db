import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import { interpolate } from '../i18n/interpolate.js';
import { type Language, MESSAGES_BY_LANGUAGE } from '../i18n/language.js';
import type { Mail } from './mail.js';

/** Characters that would end a line, or change the direction of the text. */
const UNSAFE_CHARACTERS = /[\p{Cc}\s\u200E\u200F\u202A-\u202E\u2066-\u2069]+/gu;

/** Limit of characters of one value. */
const MAX_VALUE_LENGTH = 300;

/** Limit of characters of one item of a list: of a redirect URI. */
const MAX_ITEM_LENGTH = 500;

const BODY_STYLE = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5';
const MAIN_STYLE = 'max-width:560px;margin:0 auto;padding:16px';
const BUTTON_STYLE =
  'display:inline-block;padding:12px 20px;border-radius:6px;background-color:#a83a0b;color:#ffffff;font-weight:bold;text-decoration:none';
const HEAD_STYLE = 'font-size:18px;font-weight:bold';
const ICON_STYLE = 'vertical-align:middle;margin-right:10px';

/** A part of a message. A text can have several lines. */
type ContentBlock = { text: string } | { label: string; url: string; isQuiet?: boolean };

/** A message as plain texts, from which both parts are rendered. */
export interface MailContent {
  language: Language;
  subject: string;
  blocks: ContentBlock[];
  /** Address of this service. */
  baseUrl: string;
}

/** Writes a message in the language of its reader. @param baseUrl the address of this service */
export function writeMailContent(message: Mail, baseUrl: string): MailContent {
  const { recipient, language, texts, values, lists, link, unsubscribeUrl, isNotice } = message;
  const { subject, text, detail = '', button, ifNotYou = '', unsubscribe } = texts;
  const { greeting, footer } = MESSAGES_BY_LANGUAGE[language].mail;
  const safeValues = { ...toSafeValues({ name: recipient.name, ...values }, language), ...toSafeLists(lists) };
  const toBlocks = (...paragraphs: string[]): ContentBlock[] =>
    paragraphs
      .filter((paragraph) => hasValues(paragraph, safeValues))
      .map((paragraph) => ({ text: interpolate(paragraph, safeValues) }));
  const buttons = button === undefined || link === undefined ? [] : [{ label: button, url: link }];
  return {
    language,
    subject,
    baseUrl,
    blocks: [
      ...toBlocks(greeting, text, detail),
      ...(isNotice ? [] : buttons),
      ...toBlocks(ifNotYou),
      ...(isNotice ? buttons : []),
      { text: interpolate(footer, { url: baseUrl }) },
      ...(unsubscribe && unsubscribeUrl ? [{ label: unsubscribe, url: unsubscribeUrl, isQuiet: true }] : []),
    ],
  };
}

/** Whether a text exists and each of its placeholders has a value. */
function hasValues(message: string, values: Record<string, string>): boolean {
  return message !== '' && [...message.matchAll(/\{(\w+)\}/g)].every(([, name]) => Boolean(values[name!]));
}

/**
 * Makes each value one short line. Apps, clients and attackers choose many of the values, so that a
 * value must not look like a paragraph of its own.
 */
function toSafeValues(values: Record<string, string>, language: Language): Record<string, string> {
  const entries = Object.entries(values).map(([name, value]): [string, string] => {
    if (name === 'time') return [name, formatTime(value, language)];
    return [name, toOneLine(value)];
  });
  return Object.fromEntries(entries);
}

/** Makes each list a text with one line per item. */
function toSafeLists(lists: Record<string, string[]> = {}): Record<string, string> {
  const entries = Object.entries(lists).map(([name, items]): [string, string] => [
    name,
    items.map((item) => `- ${toOneLine(item, MAX_ITEM_LENGTH)}`).join('\n'),
  ]);
  return Object.fromEntries(entries);
}

function toOneLine(value: string, maxLength = MAX_VALUE_LENGTH): string {
  return value.replace(UNSAFE_CHARACTERS, ' ').trim().slice(0, maxLength);
}

/** Formats an ISO 8601 time in UTC, in the language of the reader. */
function formatTime(value: string, language: Language): string {
  const time = new Date(value);
  if (Number.isNaN(time.getTime())) return toOneLine(value);
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short', timeZone: 'UTC' });
  return `${format.format(time)} UTC`;
}

/** Renders the text part: one paragraph per block, with the URL of a button on its own line. */
export function renderText({ blocks }: MailContent): string {
  return `${blocks.map((block) => ('url' in block ? `${block.label}:\n${block.url}` : block.text)).join('\n\n')}\n`;
}

/**
 * Renders the HTML part. It has no tables, no image except the icon, and no colors except those of
 * the button, so that a mail client can show it in dark mode.
 */
export function renderHtml(content: MailContent): string {
  return `<!doctype html>${render(<MailDocument {...content} />)}`;
}

function MailDocument({ language, subject, blocks, baseUrl }: MailContent): VNode {
  return (
    <html lang={language}>
      <head>
        <meta charset="utf-8" />
        <title>{subject}</title>
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="supported-color-schemes" content="light dark" />
      </head>
      <body style={BODY_STYLE}>
        <div role="article" lang={language} style={MAIN_STYLE}>
          <p style={HEAD_STYLE}>
            <img src={`${baseUrl}/assets/icon.png`} alt="" width="36" height="36" style={ICON_STYLE} />
            {MESSAGES_BY_LANGUAGE[language].site}
          </p>
          {blocks.map(renderBlock)}
        </div>
      </body>
    </html>
  );
}

function renderBlock(block: ContentBlock): VNode {
  if (!('url' in block))
    return (
      <p>
        {block.text
          .split('\n')
          .flatMap((line) => [<br />, line])
          .slice(1)}
      </p>
    );
  return (
    <p>
      <a href={block.url} style={block.isQuiet ? undefined : BUTTON_STYLE}>
        {block.label}
      </a>
    </p>
  );
}
