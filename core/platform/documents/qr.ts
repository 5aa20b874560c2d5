/** Returns a QR code of a text as PNG, with the quiet zone that readers need. */
export async function qrPng(text: string): Promise<Buffer> {
  const { toBuffer } = await import('qrcode');
  return toBuffer(text, { type: 'png', errorCorrectionLevel: 'M', margin: 4, scale: 8 });
}
