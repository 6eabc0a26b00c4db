import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { AccountLinkPurpose } from '../account-link.entity.js';
import type { InvalidLinkError } from '../invalid-link-error.js';

const STATUS_BY_REASON = { unknown: 400, ended: 410 };

/** Renders the page of a link that does not work: the reason, and how to get a new link. */
export function renderInvalidLinkPage(
  { messages: { recovery, credentials }, basePath }: ViewContext,
  { reason }: InvalidLinkError,
  purpose: AccountLinkPurpose,
): View {
  const isReset = purpose === 'reset-password';
  return {
    title: recovery.invalidLink,
    status: STATUS_BY_REASON[reason],
    body: (
      <section class="card">
        <p>{reason === 'ended' ? recovery.linkEnded : recovery.linkUnknown}</p>
        <p>{isReset ? recovery.newResetLink : recovery.newVerifyLink}</p>
        <p>
          {isReset ? (
            <a href={`${basePath}/forgot-password`}>{recovery.forgotPassword}</a>
          ) : (
            <a href={`${basePath}/account/email`}>{credentials.emailTitle}</a>
          )}
        </p>
      </section>
    ),
  };
}
