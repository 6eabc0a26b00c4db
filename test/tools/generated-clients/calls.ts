/* Shared by the programs that call every GET operation. */

/** Returns an environment variable. */
function getVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is missing.`);
  return value;
}

export const BASE_URL = getVariable('MAP_URL');
export const ACCESS_TOKEN = getVariable('ACCESS_TOKEN');
/** A token that can only read artworks. */
export const NARROW_TOKEN = getVariable('NARROW_TOKEN');
export const MARKER_ID = getVariable('MARKER_ID');
export const EDIT_ID = getVariable('EDIT_ID');

const calls: string[] = [];

/** Sends a request and records its address. */
export const recordCalls = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
  const request = new Request(input, init);
  calls.push(`${request.method} ${new URL(request.url).pathname}`);
  return fetch(request);
};

/** Returns the id of the first artist of an artwork. */
export function getArtistId([artist]: { id: string }[]): string {
  if (!artist) throw new Error('The artwork has no artist.');
  return artist.id;
}

/** Prints the calls and the values that the program read. */
export function printCalls(values: object): void {
  console.log(JSON.stringify({ calls, values }));
}
