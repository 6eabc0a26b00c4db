import { Injectable, type PipeTransform } from '@nestjs/common';
import type { ClientType } from '../app.entity.js';
import type { AppSettingsInput } from '../app-settings.js';

/** The form of a new app. The form of an existing app cannot change its client type. */
export type AppForm = AppSettingsInput & { clientType: ClientType };

/** Transforms the form of an app, in which each line of a URI field is one URI. */
@Injectable()
export class AppFormPipe implements PipeTransform<URLSearchParams, AppForm> {
  transform(form: URLSearchParams): AppForm {
    const read = (field: string): string => form.get(field) ?? '';
    return {
      clientType: read('clientType') === 'public' ? 'public' : 'confidential',
      name: read('name'),
      description: read('description').replace(/\r\n/g, '\n'),
      homePage: read('homePage').trim(),
      privacyPolicy: read('privacyPolicy').trim(),
      termsOfService: read('termsOfService').trim(),
      isOffered: form.has('isOffered'),
      redirectUris: splitLines(read('redirectUris')),
      postLogoutRedirectUris: splitLines(read('postLogoutRedirectUris')),
      scopes: form.getAll('scopes'),
      requiredScopes: form.getAll('requiredScopes'),
      pkceRequired: !form.has('withoutPkce'),
      idTokenAlg: read('idTokenAlg') === 'ES256' ? 'ES256' : 'RS256',
    };
  }
}

function splitLines(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
}
