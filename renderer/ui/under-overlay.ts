/** Whether a dialog, drawer or menu has the focus: what comes up on the page beneath must not take it away. */
export const isUnderOverlay = (): boolean => document.activeElement?.closest('.MuiModal-root') != null;
