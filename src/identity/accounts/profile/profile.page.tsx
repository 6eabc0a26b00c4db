import type { VNode } from 'preact';
import { LANGUAGE_NAMES } from '../../../platform/i18n/language.js';
import { CheckboxField, ErrorSummary, FormField } from '../../../platform/views/form-field.js';
import type { FormState } from '../../../platform/views/form-state.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import type { View } from '../../../platform/views/view.js';
import type { Account } from '../account.entity.js';
import { isUploadedPicture } from './profile-picture.entity.js';

interface ProfilePageProps {
  account: Account;
  form: FormState;
  /** The change that just happened: `saved` or `pictureRemoved`. */
  done?: string | null;
}

/** Returns the state of the form with the stored profile. */
export function toProfileFormState({ name, language, wantsDecisionMail }: Account): FormState {
  const values = { name, language: language ?? '', ...(wantsDecisionMail && { decisionMail: 'on' }) };
  return { values, fieldErrors: {} };
}

/** Renders the form of the profile, and the form that removes the picture. */
export function renderProfilePage(viewContext: ViewContext, { account, form, done }: ProfilePageProps): View {
  const { messages, basePath } = viewContext;
  const { profile, fieldErrors } = messages;
  const isInvalid = Object.keys(form.fieldErrors).length > 0;
  return {
    title: profile.title,
    status: isInvalid ? 422 : 200,
    body: (
      <>
        <ErrorSummary title={fieldErrors.title} fieldErrors={form.fieldErrors} />
        {!isInvalid && (done === 'saved' || done === 'pictureRemoved') && (
          <p class="success" role="status">
            {profile[done]}
          </p>
        )}
        {account.picture !== null && <CurrentPicture viewContext={viewContext} picture={account.picture} />}
        <form
          method="post"
          action={`${basePath}/account/profile`}
          class="card"
          enctype="multipart/form-data"
          novalidate
        >
          <FormField
            name="name"
            label={profile.name}
            hint={profile.nameHint}
            form={form}
            input={{ autocomplete: 'name' }}
          />
          <FormField
            name="language"
            label={profile.language}
            hint={profile.languageHint}
            form={form}
            options={[{ value: '', label: profile.browserLanguage }, ...LANGUAGE_OPTIONS]}
          />
          <FormField name="picture" label={profile.picture} hint={profile.pictureHint} form={form} input={FILE_INPUT} />
          <CheckboxField name="decisionMail" label={profile.decisionMail} hint={profile.decisionMailHint} form={form} />
          <div class="actions">
            <button type="submit">{profile.save}</button>
          </div>
        </form>
      </>
    ),
  };
}

const LANGUAGE_OPTIONS = Object.entries(LANGUAGE_NAMES).map(([language, label]) => ({
  value: language,
  label,
  lang: language,
}));

const FILE_INPUT = { type: 'file', accept: 'image/png,image/jpeg,image/webp' } as const;

interface CurrentPictureProps {
  viewContext: ViewContext;
  /** Path of an uploaded picture, or an https URL that the operator entered. */
  picture: string;
}

/** The picture with the form to remove it. A picture of another site is a link. */
function CurrentPicture({ viewContext: { messages, basePath }, picture }: CurrentPictureProps): VNode {
  const { profile } = messages;
  return (
    <section class="card picture-row" aria-labelledby="current-picture">
      {isUploadedPicture(picture) && <img src={basePath + picture} alt="" width="96" height="96" />}
      <div>
        <h2 id="current-picture">{profile.currentPicture}</h2>
        {!isUploadedPicture(picture) && (
          <p>
            <a href={picture} rel="noreferrer">
              {picture}
            </a>
          </p>
        )}
        <form method="post" action={`${basePath}/account/profile/remove-picture`}>
          <button type="submit" class="quiet">
            {profile.removePicture}
          </button>
        </form>
      </div>
    </section>
  );
}
