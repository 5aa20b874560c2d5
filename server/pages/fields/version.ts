/** Version of the hosted card fields. The major version is part of the script's address and changes with the interface. */
export const FIELDS_VERSION = '1.0.0';
/** Paths of the script and of the frame, below the address of the server for payers. */
export const FIELDS_SCRIPT_PATH = '/fields/v1.js';
export const FIELDS_FRAME_PATH = '/fields/card';
