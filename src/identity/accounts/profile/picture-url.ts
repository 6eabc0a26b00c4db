/** Start of the path of an uploaded picture, below `BASE_URL`. The id of the picture follows. */
export const PICTURES_PATH = '/pictures/';

/**
 * Whether the picture of an account is a path of this service. Otherwise it is an https URL that
 * the operator entered.
 */
export function isUploadedPicture(picture: string): boolean {
  return picture.startsWith(PICTURES_PATH);
}

/** Returns the absolute URL of the picture of an account, for the claim `picture`. */
export function toPictureUrl(baseUrl: string, picture: string): string {
  return isUploadedPicture(picture) ? baseUrl + picture : picture;
}
