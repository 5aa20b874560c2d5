import { crc32 } from 'node:zlib';
import type { CollectionFile } from './bruno.ts';

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
const UTF8 = 0x0800;
/** 1 January 2026, in the format of MS-DOS; equal contents make equal archives. */
const DATE = ((2026 - 1980) << 9) | (1 << 5) | 1;

/** Returns a ZIP archive of text files, without compression. */
export function zipOf(files: readonly CollectionFile[]): Buffer {
  const local: Buffer[] = [];
  const central: Buffer[] = [];
  let offset = 0;
  for (const { path, text } of files) {
    const name = Buffer.from(path);
    const content = Buffer.from(text);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(VERSION, 0);
    common.writeUInt16LE(UTF8, 2);
    common.writeUInt16LE(DATE, 8);
    common.writeUInt32LE(crc32(content), 10);
    common.writeUInt32LE(content.length, 14);
    common.writeUInt32LE(content.length, 18);
    common.writeUInt16LE(name.length, 22);
    const header = Buffer.concat([word(LOCAL), common, name]);
    const position = Buffer.alloc(14);
    position.writeUInt32LE(offset, 10);
    central.push(Buffer.concat([word(CENTRAL), half(VERSION), common, position, name]));
    local.push(header, content);
    offset += header.length + content.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 4);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(directory.length, 8);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...local, directory, word(END), end]);
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function half(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}
