import type { VNode } from 'preact';
import { FormField } from '../../platform/views/form-field.js';
import { EMPTY_FORM_STATE, type FormState } from '../../platform/views/form-state.js';
import type { ViewContext } from '../../platform/views/view-context.js';
import type { View } from '../../platform/views/view.js';
import type { LockableTarget } from './locks.service.js';

interface LockPageProps {
  /** The id that the person entered. */
  id: string;
  what: 'lock' | 'unlock';
  /** Null if no artwork or artist of the person's regions has the id. */
  found: LockableTarget | null;
}

/** Renders the question before an artwork or artist is locked or unlocked, or its state after. */
export function renderLockPage(viewContext: ViewContext, { id, what, found }: LockPageProps): View {
  const { messages, basePath } = viewContext;
  const { moderation } = messages;
  const isLocked = found?.target.lockedAt != null;
  const unknown = { values: { target: id }, fieldErrors: { target: moderation.targetUnknown } };
  return {
    title: found?.target.title ?? found?.target.name ?? moderation.locks,
    status: found ? 200 : 404,
    body: (
      <>
        <p>
          <a href={`${basePath}/moderation`}>{moderation.title}</a>
        </p>
        {!found && <LockForm viewContext={viewContext} form={unknown} />}
        {found && (
          <form method="post" action={`${basePath}/moderation/locks`} class="card">
            <p>{isLocked ? moderation.locked : moderation.notLocked}</p>
            <input type="hidden" name="target" value={id} />
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

/** The form that asks for an artwork or artist to lock or unlock. */
export function LockForm({
  viewContext: { messages, basePath },
  form = EMPTY_FORM_STATE,
}: {
  viewContext: ViewContext;
  form?: FormState;
}): VNode {
  const texts = messages.moderation;
  return (
    <section class="card" aria-labelledby="locks">
      <h2 id="locks">{texts.locks}</h2>
      <p>{texts.locksHelp}</p>
      <form action={`${basePath}/moderation/locks`}>
        <FormField name="target" label={texts.target} form={form} input={TARGET_INPUT} />
        <div class="actions">
          <button type="submit" name="what" value="lock">
            {texts.lock}
          </button>
          <button type="submit" name="what" value="unlock" class="quiet">
            {texts.unlock}
          </button>
        </div>
      </form>
    </section>
  );
}

const TARGET_INPUT = { required: true, autocomplete: 'off' } as const;
