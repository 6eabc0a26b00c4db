import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { registerOpenResource } from './open-resources.js';
import { getBytes, getMessages, getNumber, getText, parseMessage, type ProtobufMessage } from './protobuf.js';

type Attributes = Record<string, string | number>;

/** A span that the receiver got. Ids are hexadecimal. */
export interface ReceivedSpan {
  traceId: string;
  spanId: string;
  /** Empty for a root span. */
  parentSpanId: string;
  name: string;
  /** As in the OTLP specification: 2 for a server, 3 for a client. */
  kind: number;
  attributes: Attributes;
  /** 0 unset, 1 OK, 2 error. */
  statusCode: number;
  /** The ids of the linked traces. */
  links: string[];
  eventCount: number;
  /** The attributes of the process. */
  resource: Attributes;
}

/** A receiver of traces by OTLP over HTTP, as a collector has it. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  /** The path and the headers of each export. */
  readonly requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  /** The bodies of all exports, as text. */
  text = '';
  private readonly spanEvents = new EventEmitter();
  private readonly unregister = registerOpenResource(() => this.stop());

  private constructor(private readonly server: Server) {
    server.on('request', (request, response) => {
      void buffer(request).then((body) => {
        this.requests.push({ path: request.url!, headers: request.headers });
        this.text += body.toString('latin1');
        this.spans.push(...parseExport(body));
        response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
        this.spanEvents.emit('change');
      });
    });
  }

  static async start(): Promise<OtlpReceiver> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new OtlpReceiver(server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Waits for the server span of a trace, and returns all spans of the trace. */
  async waitForTrace(traceId: string): Promise<ReceivedSpan[]> {
    for (;;) {
      const spans = this.spans.filter((span) => span.traceId === traceId);
      if (spans.some(({ kind }) => kind === 2)) return spans;
      await once(this.spanEvents, 'change');
    }
  }

  async stop(): Promise<void> {
    this.unregister();
    this.server.closeAllConnections();
    if (this.server.listening) await new Promise((closed) => this.server.close(closed));
  }
}

/** Parses `ExportTraceServiceRequest` of opentelemetry/proto/collector/trace/v1. */
function parseExport(body: Buffer): ReceivedSpan[] {
  return getMessages(parseMessage(body), 1).flatMap((resourceSpans) => {
    const [resource] = getMessages(resourceSpans, 1);
    const scopes = getMessages(resourceSpans, 2);
    const attributes = resource ? parseAttributes(getMessages(resource, 1)) : {};
    return scopes.flatMap((scope) => getMessages(scope, 2)).map((span) => parseSpan(span, attributes));
  });
}

function parseSpan(span: ProtobufMessage, resource: Attributes): ReceivedSpan {
  const [status] = getMessages(span, 15);
  return {
    traceId: getBytes(span, 1).toString('hex'),
    spanId: getBytes(span, 2).toString('hex'),
    parentSpanId: getBytes(span, 4).toString('hex'),
    name: getText(span, 5),
    kind: getNumber(span, 6),
    attributes: parseAttributes(getMessages(span, 9)),
    statusCode: status ? getNumber(status, 3) : 0,
    links: getMessages(span, 13).map((link) => getBytes(link, 1).toString('hex')),
    eventCount: getMessages(span, 11).length,
    resource,
  };
}

/** Parses attributes with texts and integers. */
function parseAttributes(attributes: ProtobufMessage[]): Attributes {
  return Object.fromEntries(
    attributes.map((attribute) => {
      const [value] = getMessages(attribute, 2);
      return [getText(attribute, 1), value!.has(1) ? getText(value!, 1) : getNumber(value!, 3)];
    }),
  );
}
