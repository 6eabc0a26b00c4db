import { Injectable, type PipeTransform } from '@nestjs/common';
import type { AppSettingsInput } from '../app-settings.js';

/** Transforms the form of an app's settings, in which each line of a URI field is one URI. */
@Injectable()
export class AppSettingsFormPipe implements PipeTransform<URLSearchParams, AppSettingsInput> {
  transform(form: URLSearchParams): AppSettingsInput {
    const read = (field: string): string => form.get(field) ?? '';
    return {
      name: read('name'),
      description: read('description').replace(/\r\n/g, '\n'),
      homePage: read('homePage').trim(),
      redirectUris: splitLines(read('redirectUris')),
      postLogoutRedirectUris: splitLines(read('postLogoutRedirectUris')),
      scopes: form.getAll('scopes'),
      requiredScopes: form.getAll('requiredScopes'),
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
