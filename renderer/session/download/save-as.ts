/** The address of a file is revoked after this time, which is long enough for the browser to have read it. */
const ADDRESS_KEPT_MS = 60_000;

/** Saves a file with the browser's download; the desktop application asks for the location. */
export function saveAs(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  Object.assign(document.createElement('a'), { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), ADDRESS_KEPT_MS);
}
