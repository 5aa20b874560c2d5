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
  '@fontsource-variable/noto-emoji',
  '@fontsource-variable/noto-sans-arabic',
  '@fontsource-variable/noto-sans-armenian',
  '@fontsource-variable/noto-sans-bengali',
  '@fontsource-variable/noto-sans-devanagari',
  '@fontsource-variable/noto-sans-georgian',
  '@fontsource-variable/noto-sans-hebrew',
  '@fontsource-variable/noto-sans-kr',
  '@fontsource-variable/noto-sans-sc',
  '@fontsource-variable/noto-sans-tamil',
  '@fontsource-variable/noto-sans-telugu',
  '@fontsource-variable/noto-sans-thai',
  'openpgp',
  'wawoff2',
];
