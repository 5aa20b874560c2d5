const STRENGTHS = [100, 55, 28] as const;

/** Returns the color of a part: one hue, lighter for each further part of a bar. */
export const shade = (part: number) =>
  `color-mix(in srgb, var(--pd-palette-primary-main) ${STRENGTHS[part] ?? STRENGTHS[2]}%, var(--pd-palette-background-paper))`;

/** Color of the compared period. */
export const COMPARISON_COLOR = 'var(--pd-palette-text-secondary)';
export const PAPER_COLOR = 'var(--pd-palette-background-paper)';
export const TEXT_COLOR = 'var(--pd-palette-text-primary)';
export const MUTED_COLOR = 'var(--pd-palette-text-secondary)';
export const GRID_COLOR = 'var(--pd-palette-divider)';
export const BASELINE_COLOR = 'var(--pd-palette-outline)';
export const TEXT_PX = 12;

/** Assumed width of a character, because text is not measured. */
const CHARACTER_WIDTH_PX = 7.5;
export const widthOf = (text: string) => Math.ceil(text.length * CHARACTER_WIDTH_PX);
