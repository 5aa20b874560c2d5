/** Names of the states of an item of the checklist. */
export const EVIDENCE_STATES: Readonly<Record<string, string>> = { found: 'Found', missing: 'Missing', not_kept: 'Not kept' };
