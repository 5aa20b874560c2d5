const STRENGTHS = [100, 55, 28] as const;

/** One hue; each further part of a bar is lighter. */
export const shade = (part: number) =>
  `color-mix(in srgb, var(--pd-palette-primary-main) ${STRENGTHS[part] ?? STRENGTHS[2]}%, var(--pd-palette-background-paper))`;
