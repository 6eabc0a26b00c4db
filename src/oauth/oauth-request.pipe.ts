import { applyDecorators, Injectable, ValidationPipe } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsOptional, IsString } from 'class-validator';
import { OAuthError } from './oauth-error.js';

/** A field of a request: one string. Without a value it counts as missing (RFC 6749 §3.2), and so does `null`. */
export function Field(): PropertyDecorator {
  return applyDecorators(
    IsOptional(),
    IsString(),
    Transform(({ value }: { value: unknown }) => (value === '' || value === null ? undefined : value)),
  );
}

/** Checks the fields that an endpoint knows and drops the others. */
@Injectable()
export class OAuthRequestPipe extends ValidationPipe {
  constructor() {
    super({
      transform: true,
      whitelist: true,
      exceptionFactory: ([first]) =>
        new OAuthError('invalid_request', `The field ${first?.property ?? ''} must be one string, sent once.`),
    });
  }
}
