/** Returns true if a dialog, drawer or menu has the focus: what appears on the page below must not take it away. */
export const isUnderOverlay = (): boolean => document.activeElement?.closest('.MuiModal-root') != null;

/** Returns true while a dialog lies over the page. A card swiped then is not meant for the form below. */
export const isDialogOpen = (): boolean => document.querySelector('[role=dialog]') !== null;
