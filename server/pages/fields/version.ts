/** Version of the card fields for shops. Its first number is part of their address and changes with their contract. */
export const FIELDS_VERSION = '1.0.0';
/** Paths of the script and of the frames, below the address of the server for payers. */
export const FIELDS_SCRIPT_PATH = '/fields/v1.js';
export const FIELDS_FRAME_PATH = '/fields/card';
