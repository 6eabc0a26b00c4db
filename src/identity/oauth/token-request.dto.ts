import { IsOptional, IsString } from 'class-validator';

/** The client credentials in a body (RFC 6749 §2.3.1). */
export class ClientCredentialsDto {
  @IsOptional()
  @IsString()
  client_id?: string;

  @IsOptional()
  @IsString()
  client_secret?: string;
}

/** The parameters of all grants of the token endpoint. Each grant checks which ones it requires. */
export class TokenRequestDto extends ClientCredentialsDto {
  @IsOptional()
  @IsString()
  grant_type?: string;

  @IsOptional()
  @IsString()
  code?: string;

  @IsOptional()
  @IsString()
  redirect_uri?: string;

  @IsOptional()
  @IsString()
  code_verifier?: string;

  @IsOptional()
  @IsString()
  refresh_token?: string;

  @IsOptional()
  @IsString()
  scope?: string;
}

/**
 * The parameters of the revocation endpoint (RFC 7009 §2.1). The service needs no `token_type_hint`
 * and ignores it.
 */
export class RevokeRequestDto extends ClientCredentialsDto {
  @IsOptional()
  @IsString()
  token?: string;
}
