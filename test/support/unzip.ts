/** Returns the files of a ZIP archive without compression, by path. */
export function unzip(archive: Buffer): Map<string, string> {
  const files = new Map<string, string>();
  let offset = 0;
  while (archive.readUInt32LE(offset) === 0x04034b50) {
    const size = archive.readUInt32LE(offset + 18);
    const nameLength = archive.readUInt16LE(offset + 26);
    const start = offset + 30 + nameLength + archive.readUInt16LE(offset + 28);
    files.set(archive.toString('utf8', offset + 30, offset + 30 + nameLength), archive.toString('utf8', start, start + size));
    offset = start + size;
  }
  return files;
}
