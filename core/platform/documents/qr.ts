import { toBuffer } from 'qrcode';

/** Returns a QR code of a text as PNG, with the quiet zone that readers need. */
export function qrPng(text: string): Promise<Buffer> {
  return toBuffer(text, { type: 'png', errorCorrectionLevel: 'M', margin: 4, scale: 8 });
}
