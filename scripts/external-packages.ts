/**
 * Packages of the service that no bundle contains, because they have native code or read files from their own folder. The license of `openpgp` (LGPL) requires
 * that users can replace it, so it stays a folder of its own.
 */
export const EXTERNAL_PACKAGES = [
  'better-sqlite3',
  '@node-rs/argon2',
  'pdfkit',
  '@expo-google-fonts/inter',
  '@fontsource-variable/inter',
  'openpgp',
];
