import { type ClientRequest, request as sendRequest } from 'node:http';

/** The response to a stalled request. */
interface StalledResponse {
  status: number;
  location: string | undefined;
}

/** A POST request that sends its headers and the first byte, and the rest of the body later. */
export class StalledRequest {
  private constructor(
    private readonly request: ClientRequest,
    private readonly rest: string,
    private readonly response: Promise<StalledResponse>,
  ) {}

  /** Sends the first part, and other requests until the server has certainly run its guards. */
  static async open(url: string, body: string, headers: Record<string, string>): Promise<StalledRequest> {
    const contentLength = String(Math.max(Buffer.byteLength(body), 1));
    const request = sendRequest(url, { method: 'POST', headers: { ...headers, 'Content-Length': contentLength } });
    const response = new Promise<StalledResponse>((resolve, reject) => {
      request.once('error', reject);
      request.once('response', (message) => {
        message.resume();
        resolve({ status: message.statusCode!, location: message.headers.location });
      });
    });
    request.flushHeaders();
    if (body.length > 1) request.write(body.slice(0, 1));
    for (let count = 0; count < 5; count++) await fetch(new URL('/health/live', url));
    return new StalledRequest(request, body.length > 1 ? body.slice(1) : '=', response);
  }

  /** Sends the rest of the body. */
  finish(): Promise<StalledResponse> {
    this.request.end(this.rest);
    return this.response;
  }
}
