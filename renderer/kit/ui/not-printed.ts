/** Style of controls that have no place on paper. */
export const NOT_PRINTED = { '@media print': { display: 'none' } } as const;
