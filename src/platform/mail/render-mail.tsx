import type { VNode } from 'preact';
import { render } from 'preact-render-to-string';
import type { ContentBlock, MailContent } from './mail-content.js';

const BODY_STYLE = 'font-family:system-ui,sans-serif;font-size:16px;line-height:1.5';
const MAIN_STYLE = 'max-width:560px;margin:0 auto;padding:16px';
const BUTTON_STYLE =
  'display:inline-block;padding:12px 20px;border-radius:6px;background-color:#a83a0b;color:#ffffff;font-weight:bold;text-decoration:none';
const ADDRESS_STYLE = 'font-size:14px;word-break:break-all';

/** Renders the text part: one paragraph per block, with the URL of a button on its own line. */
export function renderText({ blocks }: MailContent): string {
  return `${blocks.map((block) => ('url' in block ? `${block.label}:\n${block.url}` : block.text)).join('\n\n')}\n`;
}

/**
 * Renders the HTML part. It has no tables and no images, and sets no colors except those of the
 * button, so that a mail client can show it in dark mode.
 */
export function renderHtml(content: MailContent): string {
  return `<!doctype html>${render(<MailDocument {...content} />)}`;
}

function MailDocument({ language, subject, blocks }: MailContent): VNode {
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
          {blocks.map(renderBlock)}
        </div>
      </body>
    </html>
  );
}

/** The URL is also readable, for mail clients that show no links. */
function renderBlock(block: ContentBlock): VNode {
  if (!('url' in block)) return <p>{block.text}</p>;
  return (
    <div>
      <p>
        <a href={block.url} style={BUTTON_STYLE}>
          {block.label}
        </a>
      </p>
      <p style={ADDRESS_STYLE}>{block.url}</p>
    </div>
  );
}
