const STRENGTHS = [100, 55, 28] as const;

/** Returns the color of a part: one hue, lighter for each further part of a bar. */
export const shade = (part: number) =>
  `color-mix(in srgb, var(--pd-palette-primary-main) ${STRENGTHS[part] ?? STRENGTHS[2]}%, var(--pd-palette-background-paper))`;
