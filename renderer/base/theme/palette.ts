import type { PaletteOptions } from '@mui/material/styles';

/** A foreground with its tint; the pair has a contrast of 4.5. */
interface Tone {
  main: string;
  tint: string;
}

declare module '@mui/material/styles' {
  interface Palette {
    /** Colors of states: chips, notes and marks. Nothing else is colored. */
    tone: Record<ToneName, Tone>;
    /** Edges of fields and of outlined buttons: contrast 3 or more. */
    outline: string;
    /** Background of table headers and of rows under the pointer. */
    wash: string;
  }
  interface PaletteOptions {
    tone?: Record<ToneName, Tone>;
    outline?: string;
    wash?: string;
  }
}

export type ToneName = 'success' | 'warning' | 'error' | 'info' | 'neutral' | 'primary';

const LIGHT_TONES: Record<ToneName, Tone> = {
  success: { main: '#17683D', tint: '#E6F4EC' },
  warning: { main: '#855000', tint: '#FDF1DC' },
  error: { main: '#A8231C', tint: '#FCE9E7' },
  info: { main: '#2B559E', tint: '#E8EFFA' },
  neutral: { main: '#4F5A68', tint: '#EDF0F3' },
  primary: { main: '#0F5C73', tint: '#E3F0F4' },
};

const DARK_TONES: Record<ToneName, Tone> = {
  success: { main: '#6FD19D', tint: '#16302A' },
  warning: { main: '#E9B45B', tint: '#33290F' },
  error: { main: '#F49A92', tint: '#3A1D1C' },
  info: { main: '#93B7F6', tint: '#1A2A44' },
  neutral: { main: '#B4BDC8', tint: '#252C35' },
  primary: { main: '#6CC3D8', tint: '#12303A' },
};

/** Dark text on the bright colors of the dark scheme. */
const DARK_INK = '#0D1216';

export const LIGHT: PaletteOptions = {
  background: { default: '#F6F7F9', paper: '#FFFFFF' },
  text: { primary: '#14181F', secondary: '#556070', disabled: '#6B7684' },
  primary: { main: '#0F5C73', dark: '#0B485B', light: '#3B7D90', contrastText: '#FFFFFF' },
  secondary: { main: '#4F5A68', contrastText: '#FFFFFF' },
  success: { main: '#17683D', contrastText: '#FFFFFF' },
  warning: { main: '#855000', contrastText: '#FFFFFF' },
  error: { main: '#A8231C', dark: '#871A14', contrastText: '#FFFFFF' },
  info: { main: '#2B559E', contrastText: '#FFFFFF' },
  divider: '#E0E4E9',
  outline: '#8590A0',
  wash: '#F1F3F6',
  tone: LIGHT_TONES,
};

export const DARK: PaletteOptions = {
  background: { default: '#101418', paper: '#171C22' },
  text: { primary: '#E6E9ED', secondary: '#9AA5B1', disabled: '#8692A0' },
  primary: { main: '#6CC3D8', dark: '#8AD3E4', light: '#4FA9BF', contrastText: DARK_INK },
  secondary: { main: '#B4BDC8', contrastText: DARK_INK },
  success: { main: '#6FD19D', contrastText: DARK_INK },
  warning: { main: '#E9B45B', contrastText: DARK_INK },
  error: { main: '#F49A92', dark: '#F7B2AB', contrastText: DARK_INK },
  info: { main: '#93B7F6', contrastText: DARK_INK },
  divider: '#2A323B',
  outline: '#6A7585',
  wash: '#1D232A',
  tone: DARK_TONES,
};
