import type { VNode } from 'preact';
import { FormField } from '../../../platform/views/form-field.js';
import type { ViewContext } from '../../../platform/views/view-context.js';
import { AppIcon } from '../app-icon.js';
import type { App } from '../app.entity.js';
import { buildDeveloperAppsPath } from './developer-apps-path.js';

interface AppIconFormProps {
  viewContext: ViewContext;
  app: App;
  fieldErrors: Record<string, string>;
}

const FILE_INPUT = { type: 'file', accept: 'image/png,image/jpeg,image/webp' } as const;

/** The icon or monogram of an app, with the forms to upload an icon and to remove it. */
export function AppIconForm({ viewContext, app, fieldErrors }: AppIconFormProps): VNode {
  const { developer, profile } = viewContext.messages;
  const path = buildDeveloperAppsPath(viewContext, app.id, 'icon');
  return (
    <section class="card picture-row">
      <AppIcon viewContext={viewContext} app={app} />
      <form method="post" action={path} enctype="multipart/form-data" novalidate>
        <FormField
          name="picture"
          label={developer.icon}
          hint={profile.pictureHint}
          form={{ values: {}, fieldErrors }}
          input={FILE_INPUT}
        />
        <button type="submit" class="quiet">
          {developer.uploadIcon}
        </button>
      </form>
      {app.icon !== null && (
        <form method="post" action={`${path}/remove`}>
          <button type="submit" class="quiet">
            {developer.removeIcon}
          </button>
        </form>
      )}
    </section>
  );
}
