import type { Target } from '../../map/edits/edit-targets.service.js';
import { ErrorAlert } from '../../platform/views/form-field.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';

/**
 * Renders whether an artwork or artist is locked, and the form that locks or unlocks it.
 * @param target null if no artwork or artist of the person's regions has the id
 * @param query `what`: `lock` or `unlock`
 */
export function renderLockPage(
  { messages: { moderation }, basePath }: ViewContext,
  target: Target | null,
  query: URLSearchParams,
): View {
  const what = query.get('what') === 'unlock' ? 'unlock' : 'lock';
  const isLocked = target?.lockedAt != null;
  return {
    title: target?.title ?? target?.name ?? moderation.locks,
    status: target ? 200 : 404,
    body: (
      <>
        <p>
          <a href={`${basePath}/moderation`}>{moderation.title}</a>
        </p>
        {!target && <ErrorAlert>{moderation.targetUnknown}</ErrorAlert>}
        {target && (
          <form method="post" action={`${basePath}/moderation/locks`} class="card">
            <p>{isLocked ? moderation.locked : moderation.notLocked}</p>
            <input type="hidden" name="target" value={target.id} />
            {isLocked === (what === 'unlock') && (
              <button type="submit" name="what" value={what}>
                {moderation[what]}
              </button>
            )}
          </form>
        )}
      </>
    ),
  };
}
