import { RequestField } from '../../platform/openapi/api-schema.decorator.js';
import { IsOptional, IsString } from 'class-validator';

/** The client credentials in a body (RFC 6749 §2.3.1). */
export class ClientCredentialsDto {
  @RequestField('The id of the app, unless it stands in HTTP Basic.', 'app_01JDEM00000000000000000010')
  @IsOptional()
  @IsString()
  client_id?: string;

  @RequestField('Its secret, unless it stands in HTTP Basic.', 'sam_secret_…')
  @IsOptional()
  @IsString()
  client_secret?: string;
}

/** The parameters of all grants of the token endpoint. Each grant checks which ones it requires. */
export class TokenRequestDto extends ClientCredentialsDto {
  @RequestField('Which grant.', 'authorization_code', { enum: ['authorization_code', 'refresh_token'] })
  @IsOptional()
  @IsString()
  grant_type?: string;

  @RequestField('The code, for `authorization_code`.', 'sam_code_…')
  @IsOptional()
  @IsString()
  code?: string;

  @RequestField('Where the code was sent, for `authorization_code`.', 'http://127.0.0.1:4000/callback')
  @IsOptional()
  @IsString()
  redirect_uri?: string;

  @RequestField('What the challenge was made of, for `authorization_code` (RFC 7636).', 'dBjftJeZ4CVP…')
  @IsOptional()
  @IsString()
  code_verifier?: string;

  @RequestField('The token, for `refresh_token`. It works once.', 'sam_refresh_…')
  @IsOptional()
  @IsString()
  refresh_token?: string;

  @RequestField('For `refresh_token`: less than was granted, for this access token alone.', 'markers:read')
  @IsOptional()
  @IsString()
  scope?: string;
}

/**
 * The parameters of the revocation endpoint (RFC 7009 §2.1). The service needs no `token_type_hint`
 * and ignores it.
 */
export class RevokeRequestDto extends ClientCredentialsDto {
  @RequestField('A refresh token.', 'sam_refresh_…')
  @IsOptional()
  @IsString()
  token?: string;
}
