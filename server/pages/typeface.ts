import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { FastifyInstance } from 'fastify';
import { addAsset, assetOf } from './asset.ts';

const { resolve } = createRequire(import.meta.url);
const fileOf = (name: string) =>
  assetOf('pages', name, 'woff2', readFileSync(resolve(`@fontsource-variable/inter/files/${name}-wght-normal.woff2`)));

const LATIN = fileOf('inter-latin');
const LATIN_EXTENDED = fileOf('inter-latin-ext');

const face = (url: string, range: string) =>
  `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url(${url}) format("woff2");unicode-range:${range}}`;

/** Style rules that load the typeface of the screens, with its extended characters only where a page has some of them. */
export const TYPEFACE_STYLE = `
${face(LATIN.url, 'U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215')}
${face(LATIN_EXTENDED.url, 'U+0100-0130,U+0132-0151,U+0154-02BA,U+1E00-1EFF,U+20A0-20AB,U+20AD-20C0')}
`;

/** Adds the files of the typeface, which all pages of the server share. */
export function addTypeface(app: FastifyInstance): void {
  for (const file of [LATIN, LATIN_EXTENDED]) addAsset(app, file);
}
