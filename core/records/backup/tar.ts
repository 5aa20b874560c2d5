const BLOCK_BYTES = 512;

function field(header: Buffer, text: string, offset: number, length: number): void {
  header.write(text.slice(0, length), offset, 'latin1');
}

const octal = (value: number, digits: number) => value.toString(8).padStart(digits, '0');

/** Returns one file of a tar archive (POSIX ustar): header, content, and zeros up to the next block. */
export function tarEntry(name: string, content: Buffer, modifiedAt: Date): Buffer {
  const header = Buffer.alloc(BLOCK_BYTES);
  field(header, name, 0, 100);
  field(header, '0000600\0', 100, 8);
  field(header, '0000000\0', 108, 8);
  field(header, '0000000\0', 116, 8);
  field(header, `${octal(content.length, 11)}\0`, 124, 12);
  field(header, `${octal(Math.floor(modifiedAt.getTime() / 1_000), 11)}\0`, 136, 12);
  header.fill(' ', 148, 156);
  field(header, '0', 156, 1);
  field(header, 'ustar\u000000', 257, 8);
  const sum = header.reduce((total, byte) => total + byte, 0);
  field(header, `${octal(sum, 6)}\0 `, 148, 8);
  const padding = (BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES;
  return Buffer.concat([header, content, Buffer.alloc(padding)]);
}

/** Returns the end marker of an archive. */
export const tarEnd = () => Buffer.alloc(2 * BLOCK_BYTES);
