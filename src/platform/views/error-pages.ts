import { Injectable } from '@nestjs/common';
import { DomainError } from '../errors/domain-error.js';
import { getErrorHeaders, getErrorStatus } from '../http/api-error.js';
import type { Messages } from '../i18n/language.js';

/**
 * An error that is shown as a page, with an error message and an optional message about what to do
 * next.
 */
export class PageError extends Error {
  constructor(
    readonly status: number,
    readonly messageKey: keyof Messages['errors'],
    readonly helpKey?: keyof Messages['errors'],
    readonly headers: Record<string, string> = {},
  ) {
    super(messageKey);
  }
}

/** The texts of an error page: the error, and the next step. */
export interface ErrorPageTexts {
  messageKey: keyof Messages['errors'];
  helpKey?: keyof Messages['errors'];
}

/** The texts of the error pages by the code of the error. Each module adds those of its codes. */
@Injectable()
export class ErrorPagesRegistry {
  private readonly texts = new Map<string, ErrorPageTexts>();

  /** Adds the texts of a module. */
  add(texts: Record<string, ErrorPageTexts>): void {
    for (const [code, keys] of Object.entries(texts)) this.texts.set(code, keys);
  }

  toPageError(error: DomainError): PageError {
    const { messageKey, helpKey } = this.texts.get(error.code) ?? getDefaultTexts(error);
    return new PageError(getErrorStatus(error), messageKey, helpKey, getErrorHeaders(error));
  }
}

function getDefaultTexts({ kind }: DomainError): ErrorPageTexts {
  if (kind === 'not_found') return { messageKey: 'notFound' };
  return { messageKey: kind === 'rate_limited' ? 'tooManyRequests' : 'invalidRequest' };
}
