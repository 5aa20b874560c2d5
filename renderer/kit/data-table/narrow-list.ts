import { createContext } from 'react';

/** Width below which the footer of a list has no room for its long texts. */
export const NARROW_PX = 520;

/** True in a narrow list, such as one beside a record. */
export const NarrowListContext = createContext(false);
