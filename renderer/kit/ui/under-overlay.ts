/** Returns true if a dialog, record panel or menu has the focus; content that appears below must not take it. */
export const isUnderOverlay = (): boolean => document.activeElement?.closest('.MuiModal-root, [data-panel]') != null;

/** Returns true while a dialog is open. A card that is swiped then is not meant for the form below. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog]') !== null;
