/** A message in the encoding of Protocol Buffers: the values of each field, by its number. */
export type ProtobufMessage = Map<number, (bigint | Buffer)[]>;

const WIRE_TYPES = { varint: 0, fixed64: 1, bytes: 2, fixed32: 5 };

/** Parses a message. A nested message is a value of bytes. */
export function parseMessage(data: Buffer): ProtobufMessage {
  const message: ProtobufMessage = new Map();
  for (let offset = 0; offset < data.length;) {
    const tag = readVarint(data, offset);
    const { value, end } = readValue(data, tag.end, Number(tag.value & 7n));
    const field = Number(tag.value >> 3n);
    message.set(field, [...(message.get(field) ?? []), value]);
    offset = end;
  }
  return message;
}

/** Returns the nested messages of a field. */
export function getMessages(message: ProtobufMessage, field: number): ProtobufMessage[] {
  return (message.get(field) ?? []).map((value) => parseMessage(value as Buffer));
}

/** Returns the bytes of a field, empty if it is missing. */
export function getBytes(message: ProtobufMessage, field: number): Buffer {
  return (message.get(field)?.[0] as Buffer | undefined) ?? Buffer.alloc(0);
}

/** Returns the text of a field, empty if it is missing. */
export function getText(message: ProtobufMessage, field: number): string {
  return getBytes(message, field).toString('utf8');
}

/** Returns the number of a field, 0 if it is missing. */
export function getNumber(message: ProtobufMessage, field: number): number {
  return Number(message.get(field)?.[0] ?? 0);
}

function readValue(data: Buffer, offset: number, wireType: number): { value: bigint | Buffer; end: number } {
  if (wireType === WIRE_TYPES.varint) return readVarint(data, offset);
  if (wireType === WIRE_TYPES.fixed64) return { value: data.readBigUInt64LE(offset), end: offset + 8 };
  if (wireType === WIRE_TYPES.fixed32) return { value: BigInt(data.readUInt32LE(offset)), end: offset + 4 };
  if (wireType !== WIRE_TYPES.bytes) throw new Error(`The wire type ${wireType} is unknown.`);
  const length = readVarint(data, offset);
  const end = length.end + Number(length.value);
  return { value: data.subarray(length.end, end), end };
}

function readVarint(data: Buffer, offset: number): { value: bigint; end: number } {
  let value = 0n;
  for (let shift = 0n, end = offset; ; shift += 7n) {
    const byte = data.readUInt8(end++);
    value |= BigInt(byte & 0x7f) << shift;
    if (byte < 0x80) return { value, end };
  }
}
