import { esES } from '@mui/material/locale';
import { createTheme, type Theme, type ThemeOptions } from '@mui/material/styles';
import type {} from '@mui/material/themeCssVarsAugmentation';
import { language } from '#renderer/base/language';
import { COMPONENTS } from './components.ts';
import { motionMs } from './motion.ts';
import { DARK, LIGHT } from './palette.ts';

/** The only font family; bundled, never loaded from another server. */
const FAMILY = '"Inter Variable", system-ui, -apple-system, "Segoe UI", sans-serif';

const size = (px: number, linePx: number, weight = 400) => ({
  fontSize: px,
  lineHeight: `${linePx}px`,
  fontWeight: weight,
  letterSpacing: px >= 20 ? '-0.01em' : 0,
});

/** Colors, sizes and spacing of the product. Font sizes are 12, 13, 14, 16, 20 and 28 only; spacing is a multiple of four. */
const OPTIONS: ThemeOptions = {
  cssVariables: { colorSchemeSelector: 'data-scheme', cssVarPrefix: 'pd' },
  colorSchemes: { light: { palette: LIGHT }, dark: { palette: DARK } },
  focusVisible: true,
  spacing: 4,
  shape: { borderRadius: 6 },
  transitions: {
    duration: {
      shortest: motionMs(120),
      shorter: motionMs(130),
      short: motionMs(140),
      standard: motionMs(160),
      complex: motionMs(160),
      enteringScreen: motionMs(160),
      leavingScreen: motionMs(130),
    },
  },
  typography: {
    fontFamily: FAMILY,
    fontSize: 14,
    htmlFontSize: 16,
    h1: size(20, 28, 600),
    h2: size(16, 24, 600),
    h3: size(14, 20, 600),
    h4: size(28, 36, 600),
    h5: size(20, 28, 600),
    h6: size(16, 24, 600),
    subtitle1: size(14, 20, 550),
    subtitle2: size(13, 20, 550),
    body1: size(14, 20),
    body2: size(13, 20),
    caption: size(12, 16),
    overline: { ...size(12, 16, 600), textTransform: 'none' },
    button: size(14, 20, 550),
  },
  components: COMPONENTS,
};

/** Theme of the product, with the library's own texts in the language of the screens. */
export const theme: Theme = language() === 'es' ? createTheme(OPTIONS, esES) : createTheme(OPTIONS);

/** Storage key of the chosen color scheme on this workstation. */
export const SCHEME_STORAGE_KEY = 'paydesk.scheme';
