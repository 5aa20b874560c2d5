/** A file that is not accepted, with the reason as a sentence about `file`. */
export class FileRefused extends Error {
  override name = 'FileRefused';
}

/** Limits of what one file may need. Sizes are checked before memory is allocated; the thread's own limits are the last resort. */
export const LIMITS = {
  /** Width and height of a picture, in pixels. */
  pictureSide: 20_000,
  /** A photo of 12 megapixels and a screenshot of a 5K screen have less. */
  picturePixels: 16_000_000,
  /** Decompressed size of a picture: four bytes for each pixel. */
  pictureBytes: 64_000_000,
  /** No acquirer accepts a response of more pages. */
  pdfPages: 50,
  pdfObjects: 300_000,
  /** Decompressed size of all streams that contain objects. */
  pdfObjectBytes: 16_000_000,
  /** Decompressed size of one stream, such as a scanned page. */
  pdfStreamBytes: 64_000_000,
  /** Decompressed size of all streams. */
  pdfBytes: 256_000_000,
  /** Size of the pages as they are stored. */
  storedBytes: 8_000_000,
} as const;
